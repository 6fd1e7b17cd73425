/** A state of text in PDF.js: where and how it shows the next letters. */
type TextState = { textMatrix: number[]; textLineMatrix: number[]; fontMatrix: number[] }

const { create } = Object

const isTextState = (object: object | null): object is TextState =>
  object !== null && Object.hasOwn(object, 'textLineMatrix') && 'clone' in object && typeof object.clone === 'function'

/** The object that the states of text have their functions from. */
const classOf = (state: object): object => {
  let found = state
  while (!Object.hasOwn(found, 'clone')) found = Object.getPrototypeOf(found)
  return found
}

/** Lets states of text be copied as before, but for what the copies have their functions from. */
const copyFlat = (states: object): void => {
  const clone = function (this: TextState): TextState {
    const copy: TextState = Object.assign(create(states), this)
    copy.textMatrix = this.textMatrix.slice()
    copy.textLineMatrix = this.textLineMatrix.slice()
    copy.fontMatrix = this.fontMatrix.slice()
    return copy
  }
  Object.assign(states, { clone })
}

let isFlat = false

/** Waits for the first state of text that another one is derived from. */
const watch = ((from, ...properties: [PropertyDescriptorMap]) => {
  if (!isFlat && isTextState(from)) {
    isFlat = true
    copyFlat(classOf(from))
  }
  return create(from, ...properties)
}) as typeof create

/**
 * Reads with PDF.js, whose states of text are copied without being derived from one another from the first one on. Left to
 * itself it derives each from the one before: to the runtime every object is of a kind of its own then, and nothing that it
 * learns of one helps with the next. The library does not hand out their class, so it is taken where it derives the first.
 */
export const withFlatStates = async <T>(read: () => Promise<T>): Promise<T> => {
  if (isFlat || Object.create !== create) return read()
  Object.create = watch
  try {
    return await read()
  } finally {
    Object.create = create
  }
}
