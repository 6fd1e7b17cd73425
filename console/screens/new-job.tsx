import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { MAX_ANNOUNCED } from '../../shared/api/bounds.ts'
import type { CallError } from '../api.ts'
import { dateOf, sizeOf, t } from '../i18n/index.ts'
import { keepOpen } from '../idle.ts'
import { go } from '../router.ts'
import { Choice, chosenBy } from '../ui/choice.tsx'
import { Estimate } from '../ui/estimate.tsx'
import { useKept } from '../ui/kept.ts'
import { asCallError } from '../ui/load.ts'
import { Failure, Field, Form, ReviewField } from '../ui/parts.tsx'
import { anonymise } from '../upload.ts'
import { WaitingNote } from './reviews.tsx'

/** Files that systems put into folders. */
const ofSystems = /^(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/i
const isFilled = ({ size }: File) => size > 0

/** A job whose form was left while its files were sent, and why it was not started. */
const notStarted = signal<{ name: string; error: CallError } | undefined>(undefined)

/** Says on every screen that a job was not started. */
export function NotStarted() {
  if (!notStarted.value) return null
  const { name, error } = notStarted.value
  const dismiss = () => {
    notStarted.value = undefined
  }
  return (
    <div class="note">
      <strong>{t.value.new.notStarted(name)}</strong>
      <Failure error={error} />
      <button type="button" onClick={dismiss}>
        {t.value.close}
      </button>
    </div>
  )
}

/** Drop files, choose what is replaced, start: what most people come for. */
export function NewJob() {
  const words = t.value.new
  const [files, setFiles, forgetFiles] = useKept<File[]>('new.files', [])
  const [leftOut, setLeftOut] = useState<string[]>([])
  const [chosen, setChosen] = useKept('new.chosen', 'preset:default')
  const [name, setName, forgetName] = useKept('new.name', '')
  const [isLook, setLook] = useKept('new.look', false)
  const [approvers, setApprovers] = useKept('new.approvers', 0)
  const [share, setShare] = useState<number>()
  const isLeft = useRef(false)
  useEffect(
    () => () => {
      isLeft.current = true
    },
    [],
  )
  const kept = files.slice(0, MAX_ANNOUNCED)
  const add = (more: File[]) => {
    setFiles([...files, ...more.filter(isFilled)])
    setLeftOut(more.filter(file => !isFilled(file)).map(({ name: of }) => of))
  }
  const submit = async () => {
    const called = name.trim() || nameFor(kept)
    setShare(0)
    // Whoever comes back while they are sent begins with none.
    forgetFiles()
    forgetName()
    try {
      const mode = isLook ? 'INSPECT' : 'ANONYMISE'
      const review = isLook ? 0 : approvers
      const attached = { name: called, mode, ...chosenBy(chosen), approvers: review } as const
      const job = await keepOpen(() => anonymise(kept, attached, setShare))
      // Whoever has gone on to something else stays there.
      if (!isLeft.current) go('jobs', job)
    } catch (reason) {
      setFiles(files)
      setName(name)
      if (!isLeft.current) throw reason
      notStarted.value = { name: called, error: asCallError(reason) }
    } finally {
      setShare(undefined)
    }
  }
  const asked = {
    files: kept.map(({ name: filename, size }) => ({ filename, size })),
    ...chosenBy(chosen),
    mode: isLook ? ('INSPECT' as const) : ('ANONYMISE' as const),
    review: !isLook && approvers > 0,
  }
  const label = isLook ? words.startInspect : words.start
  return (
    <section>
      <h1>{words.title}</h1>
      <WaitingNote />
      <Form submit={submit} label={label(kept.length)} isReady={kept.length > 0}>
        <Drop add={more => add(more.filter(({ name: of }) => !ofSystems.test(of)))} />
        {leftOut.length > 0 ? <p role="status">{words.empty(leftOut)}</p> : null}
        <Files files={kept} set={setFiles} tooMany={files.length > MAX_ANNOUNCED} />
        <Choice chosen={chosen} choose={setChosen} />
        <Field label={words.jobName}>
          <input
            maxLength={200}
            placeholder={kept.length > 0 ? nameFor(kept) : ''}
            value={name}
            onInput={event => setName(event.currentTarget.value)}
          />
        </Field>
        <label class="choice">
          <input type="checkbox" checked={isLook} onChange={event => setLook(event.currentTarget.checked)} />
          {words.inspect}
        </label>
        {isLook ? null : <ReviewField approvers={approvers} set={setApprovers} />}
        {kept.length > 0 ? <Estimate of={asked} /> : null}
        {share === undefined ? null : (
          <label class="field">
            <span>{words.uploading}</span>
            <progress value={share} />
          </label>
        )}
        <p class="muted">{words.note}</p>
      </Form>
    </section>
  )
}

/** A name that says when and how many, and never what a file is called. */
const nameFor = (files: File[]): string =>
  `${t.value.new.files(files.length, sizeOf(total(files)))} · ${dateOf(new Date().toISOString())}`
const total = (files: File[]) => files.reduce((sum, { size }) => sum + size, 0)

/** Where files are dropped or chosen. */
function Drop({ add }: { add(files: File[]): void }) {
  const words = t.value.new
  const [isOver, setOver] = useState(false)
  const [file, folder] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const drop = async (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add(await droppedFiles(event.dataTransfer!))
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const choose = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    add([...(currentTarget.files ?? [])])
    currentTarget.value = ''
  }
  return (
    <div class={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <p>{words.drop}</p>
      <p class="row">
        <button type="button" onClick={() => file.current!.click()}>
          {words.choose}
        </button>
        <button type="button" onClick={() => folder.current!.click()}>
          {words.folder}
        </button>
      </p>
      <input hidden multiple type="file" aria-label={words.choose} ref={file} onChange={choose} />
      <input
        hidden
        multiple
        type="file"
        aria-label={words.folder}
        ref={folder}
        onChange={choose}
        {...{ webkitdirectory: true }}
      />
    </div>
  )
}

/** Files that were dropped, those of folders too. */
async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map(item => item.webkitGetAsEntry()).filter(entry => entry !== null)
  return (await Promise.all(entries.map(filesOf))).flat()
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) break
    found.push(...some)
  }
  return (await Promise.all(found.map(filesOf))).flat()
}

function Files({ files, set, tooMany }: { files: File[]; set(files: File[]): void; tooMany: boolean }) {
  const words = t.value.new
  if (files.length === 0) return null
  return (
    <>
      <div class="row">
        <strong>{words.files(files.length, sizeOf(total(files)))}</strong>
        <button type="button" class="plain" onClick={() => set([])}>
          {words.clear}
        </button>
      </div>
      {tooMany ? <p role="status">{words.many(MAX_ANNOUNCED)}</p> : null}
      <ul class="files">
        {files.map((file, index) => (
          <li key={`${file.name}${index}`}>
            <span class="name">{file.name}</span>
            <span class="muted">{sizeOf(file.size)}</span>
            <button
              type="button"
              class="plain"
              aria-label={words.take(file.name)}
              onClick={() => set(files.filter(other => other !== file))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
