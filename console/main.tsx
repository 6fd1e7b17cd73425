import './console.css'
import { effect } from '@preact/signals'
import { render } from 'preact'
import { resume } from './api.ts'
import { beginLanguage, language } from './i18n/index.ts'
import { endWhenIdle } from './idle.ts'
import { App } from './screens/app.tsx'

endWhenIdle()
effect(() => {
  document.documentElement.lang = language.value
})
await beginLanguage()
resume()
render(<App />, document.body)
