// What most visits don't need: one file, loaded when a part of it is first shown.
export { Reference } from './reference/reference.tsx'
export { AccountEditor, Accounts } from './screens/accounts.tsx'
export { Certificate } from './screens/certificate.tsx'
export { Compare } from './screens/compare.tsx'
export { Recoveries, Recovery } from './screens/recoveries.tsx'
export { Risk } from './screens/risk.tsx'
export { ShadowRun } from './screens/shadow-run.tsx'
export { QrCode } from './ui/qr-code.tsx'
