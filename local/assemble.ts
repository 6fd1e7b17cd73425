import { assemble } from './synth.ts'

// Makes what `npm start` runs, and starts nothing: for images.
await assemble(console.error)
