/**
 * Says of names of fields and of values, as they are written and without their quotes, whether they are words of the format. It is
 * told of all of them in order, and of what stands between two strings.
 */
export type FormatWords = { key(raw: string): boolean; value(raw: string): boolean; between(text: string): void }

const types =
  'text/(?:plain|html|markdown|latex)|image/(?:png|jpeg|gif|svg\\+xml|webp)|application/(?:json|javascript|pdf|geo\\+json|vnd\\.jupyter\\.widget-view\\+json|vnd\\.plotly\\.v1\\+json|vnd\\.vegalite\\.v5\\+json)'

/** Paths of the names of fields that nbformat 4 has, their steps parted by quotes, which no name holds as it is written. */
const fields = new RegExp(
  `^(?:${[
    'nbformat(?:_minor)?',
    'metadata(?:"(?:orig_nbformat|title|authors|kernelspec(?:"(?:name|display_name))?|language_info(?:"(?:name|codemirror_mode|file_extension|mimetype|pygments_lexer))?))?',
    'cells(?:"(?:id|source|execution_count|cell_type))?',
    'cells"metadata(?:"(?:format|name|tags|collapsed|scrolled|jupyter(?:"(?:source|outputs)_hidden)?))?',
    `cells"attachments(?:"[^"\\\\]+"(?:${types}))?`,
    'cells"outputs(?:"(?:execution_count|metadata|text|ename|evalue|traceback|output_type|name))?',
    `cells"outputs"data(?:"(?:${types}))?`,
  ].join('|')})$`,
)

/** Paths of the values that it lists, and these. */
const values: readonly [string, RegExp][] = [
  ['nbformat', /^4$/],
  ['nbformat_minor', /^[0-5]$/],
  ['cells"cell_type', /^(?:raw|markdown|code)$/],
  ['cells"outputs"output_type', /^(?:execute_result|display_data|stream|error)$/],
  ['cells"outputs"name', /^std(?:out|err)$/],
]

/** Whether a JSON text is a notebook of Jupyter. */
export const isNotebook = (text: string): boolean => /"nbformat"\s*:\s*4\b/.test(text) && /"cells"\s*:\s*\[/.test(text)

/** Follows a notebook. */
export function notebookWords(): FormatWords {
  /** The steps that lead to each open object or array; an array adds none. */
  const open: { path: string; isArray: boolean }[] = []
  let path = ''
  const value = (raw: string) => {
    const isField = open.at(-1)?.isArray === false
    return isField && values.some(([at, pattern]) => at === path && pattern.test(raw))
  }
  return {
    value,
    key(raw) {
      const around = open.at(-1)?.path ?? ''
      path = around === '' ? raw : `${around}"${raw}`
      return fields.test(path)
    },
    between(text) {
      for (const mark of text.match(/[[\]{}]/g) ?? []) {
        if (mark === ']' || mark === '}') open.pop()
        else open.push({ path: open.at(-1)?.isArray === true ? open.at(-1)!.path : path, isArray: mark === '[' })
      }
    },
  }
}
