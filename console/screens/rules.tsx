import { useEffect, useState } from 'preact/hooks'
import { checksums } from '../../shared/api/checksums.ts'
import type { List } from '../../shared/api/lists.ts'
import type { Model } from '../../shared/api/models.ts'
import type { NewRule, Rule, RuleFinding } from '../../shared/api/rules.ts'
import { call, callFull, may } from '../api.ts'
import { scoreOf, t } from '../i18n/index.ts'
import { go } from '../router.ts'
import { useDraft } from '../ui/draft.ts'
import { useLoad } from '../ui/load.ts'
import { Field, Form, NameField } from '../ui/parts.tsx'
import { Pending } from '../ui/pending.tsx'
import { RecordList } from '../ui/record-list.tsx'
import { Note } from '../ui/told.tsx'
import { Found } from './try-text.tsx'

/** The user's rules. */
export function Rules() {
  const words = t.value.rule
  return (
    <RecordList<Rule>
      screen="rules"
      words={words}
      list={body => callFull('rules', 'list', { body })}
      remove={({ id }) => call('rules', 'delete', { rule_id: id })}
      about={({ type }) => words.type[type]}
    />
  )
}

type Draft = {
  /** What is stored; what the form has no field for is taken from there. */
  stored?: Rule
  name: string
  description: string
  type: Rule['type']
  pattern: string
  anyCase: boolean
  validator: string
  model: string
  threshold: number
  entities: string[]
  list: string
}

const empty: Draft = {
  name: '',
  description: '',
  type: 'REGEX',
  pattern: '',
  anyCase: false,
  validator: '',
  model: '',
  threshold: 0.5,
  entities: [],
  list: '',
}

/** A rule as the form shows it. */
function draftOf(rule: Rule): Draft {
  const { name, description } = rule
  if (rule.type === 'REGEX') {
    const { pattern, flags = '', validator = '' } = rule.config.regexRuleConfig
    return {
      ...empty,
      stored: rule,
      name,
      description,
      type: 'REGEX',
      pattern,
      anyCase: flags.includes('i'),
      validator,
    }
  }
  if (rule.type === 'LIST')
    return { ...empty, stored: rule, name, description, type: 'LIST', list: rule.config.listRuleConfig.listId }
  const { modelId, modelVersion, modelParameters } = rule.config.aiModelRuleConfig
  const { confidence_threshold: threshold = 0.5, entities = [] } = modelParameters
  const model = `${modelId}/${modelVersion}`
  return { ...empty, stored: rule, name, description, type: 'AIMODEL', model, threshold, entities }
}

/** A rule as the service takes it. */
function ruleOf(draft: Draft): NewRule {
  const { name, description, type, list } = draft
  if (type === 'LIST') return { name, description, type, config: { listRuleConfig: { listId: list } } }
  if (type === 'REGEX') return { name, description, type, config: { regexRuleConfig: patternOf(draft) } }
  return { name, description, type, config: { aiModelRuleConfig: modelOf(draft) } }
}

function patternOf({ stored, pattern, anyCase, validator }: Draft) {
  const { flags: before = '', validator: _, ...kept } = stored?.type === 'REGEX' ? stored.config.regexRuleConfig : {}
  const flags = before.replace('i', '') + (anyCase ? 'i' : '')
  return { ...kept, pattern, ...(flags && { flags }), ...(validator && { validator }) }
}

function modelOf({ stored, model, threshold, entities }: Draft) {
  const [modelId = '', modelVersion = ''] = model.split('/')
  const { language } = stored?.type === 'AIMODEL' ? stored.config.aiModelRuleConfig.modelParameters : {}
  const parameters = { confidence_threshold: threshold, ...(entities.length > 0 && { entities }) }
  return { modelId, modelVersion, modelParameters: { ...parameters, ...(language && { language }) } }
}

/** Makes or changes a rule, with a text to test it on. */
export function RuleEditor({ id }: { id: string }) {
  const words = t.value
  const isNew = id === 'create'
  const loaded = useLoad(
    () =>
      Promise.all([
        call('models', 'list'),
        isNew ? undefined : call('rules', 'get', { rule_id: id }),
        may('lists:read') ? call('lists', 'list', { body: { limit: 1000 } }) : [],
      ]),
    [id],
  )
  const { data } = loaded
  const { draft, change, begin, isChanged } = useDraft(empty, ruleOf)
  useEffect(() => {
    if (data?.[1]) begin(draftOf(data[1]))
  }, [data])
  if (!data) return <Pending of={loaded} what={words.menu.rules} isScreen />
  const [models, , lists] = data
  const save = async () => {
    const body = ruleOf(draft)
    if (isNew) await call('rules', 'create', { body })
    else await call('rules', 'update', { rule_id: id, body })
    go('rules')
  }
  return (
    <section>
      <h1>{isNew ? words.rule.create : draft.name}</h1>
      <Form submit={save} label={words.save} cancel="#/rules" isChanged={isChanged}>
        <NameField name={draft.name} set={name => change({ name })} />
        <Kind draft={draft} change={change} models={models} lists={lists} />
      </Form>
      <TestRule rule={() => ruleOf(draft)} />
    </section>
  )
}

type Fields = { draft: Draft; change(part: Partial<Draft>): void }

/** What the rule looks for: a pattern, what a model finds, or what is on a list. */
function Kind({ draft, change, models, lists }: Fields & { models: Model[]; lists: List[] }) {
  const words = t.value.rule
  return (
    <>
      <div class="row" role="radiogroup" aria-label={words.kind}>
        {(['REGEX', 'AIMODEL', 'LIST'] as const).map(type => (
          <label key={type} class="choice">
            <input type="radio" name="type" checked={draft.type === type} onChange={() => change({ type })} />
            {words.type[type]}
          </label>
        ))}
      </div>
      {draft.type === 'REGEX' ? (
        <PatternFields draft={draft} change={change} />
      ) : draft.type === 'AIMODEL' ? (
        <ModelFields draft={draft} change={change} models={models} />
      ) : (
        <ListField draft={draft} change={change} lists={lists} />
      )}
    </>
  )
}

function PatternFields({ draft, change }: Fields) {
  const words = t.value.rule
  return (
    <>
      <Field label={words.pattern} hint={words.patternHint}>
        <textarea
          required
          rows={3}
          class="code"
          spellcheck={false}
          value={draft.pattern}
          onInput={event => change({ pattern: event.currentTarget.value })}
        />
      </Field>
      <label class="choice">
        <input type="checkbox" checked={draft.anyCase} onChange={() => change({ anyCase: !draft.anyCase })} />
        {words.anyCase}
      </label>
      <Field label={words.checksum} hint={words.checksumHint}>
        <select value={draft.validator} onChange={event => change({ validator: event.currentTarget.value })}>
          <option value="">{words.noChecksum}</option>
          {Object.entries(checksums).map(([name, [proves]]) => (
            <option key={name} value={name}>
              {name}: <Note of={proves} />
            </option>
          ))}
        </select>
      </Field>
    </>
  )
}

function ModelFields({ draft, change, models }: Fields & { models: Model[] }) {
  const words = t.value.rule
  const usable = models.filter(model => model.usable)
  const keyOf = ({ modelId, modelVersion }: Model) => `${modelId}/${modelVersion}`
  const model = usable.find(one => keyOf(one) === draft.model)
  const toggle = (label: string) =>
    change({
      entities: draft.entities.includes(label)
        ? draft.entities.filter(one => one !== label)
        : [...draft.entities, label],
    })
  return (
    <>
      <Field label={words.model} hint={model ? <Note of={model.description} /> : undefined}>
        <select
          required
          value={draft.model}
          onChange={event => change({ model: event.currentTarget.value, entities: [] })}
        >
          <option value="" />
          {usable.map(one => (
            <option key={keyOf(one)} value={keyOf(one)}>
              {one.modelId} {one.modelVersion}
            </option>
          ))}
        </select>
      </Field>
      <Field label={`${words.threshold}: ${scoreOf(draft.threshold)}`}>
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={draft.threshold}
          onInput={event => change({ threshold: Number(event.currentTarget.value) })}
        />
      </Field>
      {model ? (
        <fieldset>
          <legend>
            {words.labels} {draft.entities.length === 0 ? `(${words.allLabels})` : ''}
          </legend>
          {model.labels.map(label => (
            <label key={label} class="choice">
              <input type="checkbox" checked={draft.entities.includes(label)} onChange={() => toggle(label)} />
              <code>{label}</code>
            </label>
          ))}
        </fieldset>
      ) : null}
    </>
  )
}

/** One that is somebody else's is named by its id. */
function ListField({ draft: { list }, change, lists }: Fields & { lists: List[] }) {
  const words = t.value
  if (lists.length === 0 && !list)
    return (
      <p>
        {words.rule.noList} <a href="#/lists/create">{words.list.create}</a>
      </p>
    )
  return (
    <Field label={words.rule.list}>
      <select required value={list} onChange={event => change({ list: event.currentTarget.value })}>
        <option value="" />
        {lists.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {list && !lists.some(({ id }) => id === list) ? <option value={list}>{list}</option> : null}
      </select>
    </Field>
  )
}

function TestRule({ rule }: { rule(): NewRule }) {
  const words = t.value.rule
  const [text, setText] = useState('')
  const [found, setFound] = useState<{ text: string; findings: RuleFinding[] }>()
  const test = async () => {
    const { name, description, ...tested } = rule()
    const { findings } = await call('rules', 'test', { body: { text, rules: [tested] } })
    setFound({ text, findings })
  }
  return (
    <>
      <h2>{words.test}</h2>
      <Form submit={test} label={words.test}>
        <Field label={words.testText}>
          <textarea
            required
            rows={4}
            maxLength={20_000}
            value={text}
            onInput={event => setText(event.currentTarget.value)}
          />
        </Field>
      </Form>
      {found ? <Found {...found} /> : null}
    </>
  )
}
