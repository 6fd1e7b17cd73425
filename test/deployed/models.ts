const otherProcessor =
  "Runs functions on the machine's own processor; the native code of models is packed for Lambda's arm64."

/** Tests of what models find, by their full names: they fail on every emulator that runs functions on an x64 machine. */
export const ofModels: Record<string, string> = Object.fromEntries(
  [
    'a document that a model works on shows it as well',
    'says what stored and unstored rules find, and why',
    'near misses are told apart: a checksum that fails, a score below the threshold',
    'the flow of the client anonymises files by a preset or a workflow, tells how far it is, and fetches what came of them',
    'the flow of the client tells of files that can not be anonymised, without failing itself',
    'a job runs with a preset, over documents and tables alike, and says which and of which version',
    'answers what a job makes of a file of the same text, byte for byte',
    'tells of each finding its place, its rule, why, and where its replacement stands',
    'takes messages, of which what a model finds in one is replaced in all, and presets',
    'a session gives the same values the same placeholders, and puts them back',
    'POST /mcp, legacy version of the protocol anonymises and explains texts by the default preset, another one, or a workflow',
    'POST /mcp, auto version of the protocol anonymises and explains texts by the default preset, another one, or a workflow',
  ].map(name => [name, otherProcessor]),
)
