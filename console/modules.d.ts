declare module 'console-routes' {
  /** Method and path of every endpoint by `resource.operation`; made when the console is built. */
  export const routes: Record<string, `${string} /${string}`>
}
declare module 'console-sources' {
  /** The forms of every kind of source; made when the console is built. */
  export const kinds: Record<string, import('../shared/api/source-forms.ts').SourceForm[]>
}
declare module '*.css' {}
