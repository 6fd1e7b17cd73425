import { PDFArray, type PDFDict, PDFName, PDFNumber } from '@cantoo/pdf-lib'

/** The decimal number that was written where PDFium holds a float: one with more digits moves a line by a fraction of a dot. */
export const asWritten = (float: number): number => {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(float.toPrecision(digits))
    if (Math.fround(short) === float) return short
  }
  return float
}

/** Writes the boxes of a page as they were before PDFium wrote them. */
export const restoreBoxes = (page: PDFDict): void => {
  for (const key of ['MediaBox', 'CropBox']) {
    const box = page.get(PDFName.of(key))
    if (!(box instanceof PDFArray)) continue
    box.asArray().forEach((side, index) => {
      if (side instanceof PDFNumber) box.set(index, PDFNumber.of(asWritten(Math.fround(side.asNumber()))))
    })
  }
}
