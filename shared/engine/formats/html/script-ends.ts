const marks = /<!--+>|<!--|-->|<\/?script(?=[\s/>])/gi

/** How deep a place in a script is: in it, in what it has as a comment, or in a script that is written in one. */
type Depth = 0 | 1 | 2

/**
 * A page for tokenizers that don't know that a script ends later than at the first end tag where it is within a comment and
 * behind the start of another script, as in `<script><!-- write('<script></script>') --></script>`. All else has its place.
 */
export function withoutInnerEnds(html: string): string {
  const ends = html.includes('<!--') ? innerEnds(html) : []
  if (ends.length === 0) return html
  const pieces: string[] = []
  let at = 0
  for (const end of ends) {
    pieces.push(html.slice(at, end), '<')
    at = end + 1
  }
  return [...pieces, html.slice(at)].join('')
}

/** Where the slashes are of end tags that end no script. */
function innerEnds(html: string): number[] {
  const ends: number[] = []
  let depth: Depth | undefined
  for (const { index, 0: mark } of html.matchAll(marks)) {
    const isEnd = mark[1] === '/'
    if (/script$/i.test(mark)) {
      if (depth === undefined && !isEnd) depth = 0
      else if (depth === 1 && !isEnd) depth = 2
      else if (depth === 2 && isEnd) {
        ends.push(index + 1)
        depth = 1
      } else if (isEnd) depth = undefined
    } else if (depth !== undefined) depth = mark.endsWith('>') ? 0 : depth === 2 ? 2 : 1
  }
  return ends
}
