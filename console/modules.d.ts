declare module 'console-routes' {
  /** Method and path of every endpoint by `resource.operation`; made when the console is built. */
  export const routes: Record<string, `${string} /${string}`>
}
declare module '*.css' {}
