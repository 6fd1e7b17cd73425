import { numberAfter } from './numbers.ts'
import type { Preset } from './preset.ts'

const securityCode = String.raw`CVV2?|CVC2?|CAV2|CID|CVN2?|(?:security|verification)[ \t]code|Prüfziffer|Kartenprüfnummer|cryptogramme|código[ \t]de[ \t]seguridad|codice[ \t]di[ \t]sicurezza`
const expiry = String.raw`exp(?:iry|ires?|iration)?\.?(?:[ \t]date)?|valid[ \t](?:thru|through|until|to)|gültig[ \t]bis|caducidad|scadenza|expire[ \t]fin`

/** Presets for what must not lie about: numbers of cards, and secrets of programs. */
export const payment: readonly Preset[] = [
  {
    id: 'pci-dss',
    version: '3.2.0',
    title: 'Account data of payment cards',
    description:
      'Card numbers keep at most their first six and last four digits, as requirement 3.4.1 of PCI DSS allows to show; cardholders, expiry dates and service codes go, and so does sensitive authentication data, which nobody may keep after authorisation: contents of tracks, security codes, PINs.',
    labels: { direct: ['PAYMENT_CARD', 'PERSON'], quasi: [] },
    replacements: { PAYMENT_CARD: { mask: { char: '*', keepFirst: 6, keepLast: 4 } } },
    patterns: [
      {
        name: 'TRACK_DATA',
        group: 'direct',
        pattern: String.raw`%?[Bb]\d{12,19}\^[^\^\n]{2,26}\^\d{4}[^?\n]{3,60}\??|;?(?<!\d)\d{12,19}=\d{7}[\d?]{0,30}`,
      },
      numberAfter('SECURITY_CODE', securityCode, { shape: String.raw`\d{3,4}`, unmistakable: true }),
      numberAfter('PIN', String.raw`PIN(?:[ \t]?block)?`, {
        shape: String.raw`\d{4,12}|[0-9A-F]{16}`,
        unmistakable: true,
      }),
      numberAfter('EXPIRY', expiry, {
        shape: String.raw`(?:0[1-9]|1[0-2])[ \t]?[\/.-][ \t]?(?:20)?\d{2}`,
        unmistakable: true,
      }),
    ],
    sources: ['PCI DSS v4.0.1, requirements 3.3 and 3.4.1, and its table of account data elements'],
  },
  {
    id: 'secrets',
    version: '1.2.0',
    title: 'Secrets of programs and accounts',
    description:
      'Keys of services, tokens, private keys, passwords behind a word that names them and in addresses, and addresses of crypto currencies. Names and other personal data stay: for logs, configuration and source text that are to be shown to colleagues or to a language model.',
    labels: { direct: ['SECRET', 'CRYPTO_ADDRESS'], quasi: [] },
  },
]
