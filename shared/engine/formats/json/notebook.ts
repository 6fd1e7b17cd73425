/**
 * What the format of a file itself has at a place: the names of fields there, with what may stand in them, what stands under
 * names that others chose, and the values that it lists.
 */
export type Known = { fields?: ReadonlyMap<string, Known>; others?: Known; values?: ReadonlySet<string> }

const named = (names: string, more: Record<string, Known> = {}): Known => ({
  fields: new Map([...names.split(' ').map((name): [string, Known] => [name, {}]), ...Object.entries(more)]),
})
const listed = (values: string): Known => ({ values: new Set(values.split(' ')) })

/** The types of content that programs show outputs by. */
const content = named(
  `text/plain text/html text/markdown text/latex image/png image/jpeg image/gif image/svg+xml image/webp application/json
  application/javascript application/pdf application/geo+json application/vnd.jupyter.widget-view+json application/vnd.plotly.v1+json
  application/vnd.vegalite.v5+json`.replace(/\s+/g, ' '),
)

const output = named('execution_count metadata text ename evalue traceback', {
  output_type: listed('execute_result display_data stream error'),
  name: listed('stdout stderr'),
  data: content,
})

const cell = named('id source execution_count', {
  cell_type: listed('raw markdown code'),
  metadata: named('format name tags collapsed scrolled', { jupyter: named('source_hidden outputs_hidden') }),
  attachments: { others: content },
  outputs: output,
})

/** Notebooks of Jupyter, by the schema of nbformat 4; what arrays hold is of the kind that their name says. */
const notebook = named('', {
  nbformat: listed('4'),
  nbformat_minor: listed('0 1 2 3 4 5'),
  metadata: named('orig_nbformat title authors', {
    kernelspec: named('name display_name'),
    language_info: named('name codemirror_mode file_extension mimetype pygments_lexer'),
  }),
  cells: cell,
})

/** What the format has at the root of a JSON text that is a notebook; nothing for any other. */
export const notebookOf = (source: string): Known | undefined =>
  /"nbformat"\s*:\s*4\b/.test(source) && /"cells"\s*:\s*\[/.test(source) ? notebook : undefined
