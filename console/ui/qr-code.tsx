import { encodeQR } from 'qr'

/** Light squares around a code: readers ask for four. */
const MARGIN = 4

/** A text as a picture for cameras, dark on light whatever the colours of the page. */
export function QrCode({ text, title }: { text: string; title: string }) {
  const rows = encodeQR(text, 'raw', { border: MARGIN })
  const squares = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg class="code-picture" role="img" aria-label={title} viewBox={`0 0 ${rows.length} ${rows.length}`}>
      <rect width="100%" height="100%" fill="#fff" />
      <path d={squares.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  )
}
