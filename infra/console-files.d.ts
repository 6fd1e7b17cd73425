declare module 'console-files' {
  /** What the console's page loads; made by `infra/console.ts` when functions are bundled. */
  export const files: Record<'app.js' | 'app.css', string>
  /** Names this very content. */
  export const build: string
}
