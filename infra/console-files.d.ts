declare module 'console-files' {
  /** What the console's page loads, by name; made by `infra/console.ts` when functions are bundled. */
  export const files: Record<string, string>
  /** A name for this very content. */
  export const build: string
  /** The file that the page begins with. */
  export const program: string
}
