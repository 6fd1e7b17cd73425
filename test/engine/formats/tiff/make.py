"""Makes the TIFFs of this folder by libtiff (Pillow, tiffcp), with the pixels that libtiff reads from each as PNG.

Needs Pillow and libtiff's tools: python3 make.py
"""
import subprocess
from pathlib import Path
from PIL import Image, ImageDraw

here = Path(__file__).parent
size = (70, 52)

colour = Image.new('RGB', size, 'white')
draw = ImageDraw.Draw(colour)
draw.rectangle((4, 4, 30, 20), fill=(200, 30, 40))
draw.ellipse((25, 15, 65, 48), fill=(20, 120, 220))
draw.text((6, 30), 'Zyra 42', fill=(0, 90, 20))
for x in range(size[0]):
    colour.putpixel((x, 50), (x * 3, 255 - x * 3, x))
grey = colour.convert('L')
ink = colour.convert('1', dither=Image.Dither.NONE)
indexed = colour.quantize(16)
opaque = colour.convert('RGBA')
opaque.putalpha(grey.point(lambda v: 255 if v < 250 else v // 2))

def save(image, name, **more):
    image.save(here / f'{name}.tif', **more)

def convert(source, name, *options):
    subprocess.run(['tiffcp', *options, here / f'{source}.tif', here / f'{name}.tif'], check=True)

save(colour, 'rgb')
save(colour, 'rgb-lzw', compression='tiff_lzw')
save(colour, 'rgb-deflate', compression='tiff_adobe_deflate')
save(colour, 'rgb-packbits', compression='packbits')
save(colour, 'rgb-jpeg', compression='jpeg', quality=95)
save(colour, 'rgb-big', big_tiff=True)
save(grey, 'grey')
save(grey.convert('I').point(lambda v: v * 257).convert('I;16'), 'grey-16')
save(indexed, 'palette-lzw', compression='tiff_lzw')
save(opaque, 'rgba-lzw', compression='tiff_lzw')
save(colour.convert('CMYK'), 'cmyk', compression='tiff_lzw')
save(ink, 'ink')
for name in ('group3', 'group4'):
    save(ink, f'ink-{name}', compression=name)
save(ink, 'ink-ccitt', compression='tiff_ccitt')
convert('rgb', 'rgb-lzw-predictor', '-c', 'lzw:2')
convert('rgb', 'rgb-zstd', '-c', 'zstd')
convert('rgb', 'rgb-planar', '-p', 'separate', '-c', 'lzw')
convert('rgb', 'rgb-tiled', '-t', '-w', '32', '-l', '16', '-c', 'zip')
convert('rgb', 'rgb-strips', '-s', '-r', '7', '-c', 'lzw')
convert('rgb', 'rgb-big-endian', '-B', '-c', 'packbits')
convert('rgb', 'rgb-tiled-jpeg', '-t', '-w', '32', '-l', '16', '-c', 'jpeg:95')
convert('ink', 'ink-group3-2d', '-c', 'g3:2d:fill')
convert('ink', 'ink-lsb', '-f', 'lsb2msb', '-c', 'g4')
convert('rgb', 'rgb-big-tiled', '-8', '-t', '-w', '16', '-l', '16', '-c', 'lzw')

for tiff in sorted(here.glob('*.tif')):
    with Image.open(tiff) as image:
        shown = image
        if image.mode == 'I;16':
            shown = image.point(lambda v: v / 256).convert('L')
        shown.convert('RGBA').save(here / f'{tiff.stem}.png')
