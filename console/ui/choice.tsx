import { call } from '../api.ts'
import { t } from '../i18n/index.ts'
import { useLoad } from './load.ts'
import { Field } from './parts.tsx'
import { Pending } from './pending.tsx'

/** By which field a job names what was chosen: `preset:default`, `workflow:<id>`. */
export function chosenBy(chosen: string): { presetId: string } | { workflowId: string } {
  const [kind, id] = chosen.split(':') as [string, string]
  return kind === 'preset' ? { presetId: id } : { workflowId: id }
}

/** What a preset is called in the language in use. */
export const presetName = ({ id, name }: { id: string; name: string }): string => t.value.presetTexts[id]?.[0] ?? name

/** Presets first: they need no preparation. */
export function Choice({ chosen, choose }: { chosen: string; choose(id: string): void }) {
  const words = t.value.new
  const loaded = useLoad(
    () => Promise.all([call('presets', 'list'), call('workflows', 'list', { body: { limit: 200 } })]),
    [],
  )
  if (!loaded.data) return <Pending of={loaded} what={words.what} />
  const [presets, workflows] = loaded.data
  const preset = presets.find(({ id }) => `preset:${id}` === chosen)
  return (
    <>
      <Field label={words.what}>
        <select value={chosen} onChange={event => choose(event.currentTarget.value)}>
          <optgroup label={words.presets}>
            {presets.map(one => (
              <option key={one.id} value={`preset:${one.id}`}>
                {presetName(one)}
              </option>
            ))}
          </optgroup>
          {workflows.length > 0 ? (
            <optgroup label={words.own}>
              {workflows.map(({ id, name, supportedAssetType }) => (
                <option key={id} value={`workflow:${id}`}>
                  {name} ({t.value.workflow.type[supportedAssetType]})
                </option>
              ))}
            </optgroup>
          ) : null}
        </select>
      </Field>
      {preset ? (
        <details>
          <summary>{t.value.presetTexts[preset.id]?.[1] ?? preset.description}</summary>
          <Labels title={words.direct} labels={preset.labels.direct} />
          <Labels title={words.quasi} labels={preset.labels.quasi} />
        </details>
      ) : null}
    </>
  )
}

const Labels = ({ title, labels }: { title: string; labels: string[] }) =>
  labels.length === 0 ? null : (
    <p>
      {title}:{' '}
      {labels.map(label => (
        <code key={label}>{label} </code>
      ))}
    </p>
  )
