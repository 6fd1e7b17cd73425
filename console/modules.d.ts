declare module 'console-routes' {
  /** Method and path of every endpoint by `resource.operation`; made when the console is built. */
  export const routes: Record<string, `${string} /${string}`>
}
declare module 'console-sources' {
  /** The forms of every kind of source; made when the console is built. */
  export const kinds: Record<string, import('../shared/api/source-forms.ts').SourceForm[]>
}
declare module 'console-guide' {
  /** What many operations share, and every way to configure a source; made when the console is built. */
  export const guide: import('../shared/api/guide.ts').Section[]
  export const sources: ReturnType<typeof import('../shared/api/source-settings.ts').sourceSettings>
}
declare module 'console-events' {
  /** The title of every event by its name, in English; made when the console is built. */
  export const eventTitles: Record<string, string>
}
declare module 'console-problems' {
  /** The meaning of every type of problem, in English; made when the console is built. */
  export const meanings: Record<string, string>
}
declare module '*.css' {}
