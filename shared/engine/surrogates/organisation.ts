import type { Keyed } from './keyed.ts'
import type { Login } from './network.ts'
import { sameShape } from './shape.ts'
import { fold, inCaseOf } from './spelling.ts'

/** Legal forms, and words that say what an organisation does and not who it is. They stay. */
const kept = new Set(
  `gmbh ag kg ohg ug se mbh co cokg ev eg inc llc llp ltd limited plc corp corporation company sa sas sarl sl slu srl spa snc
  bv nv vof ab as asa aps a/s oy oyj sp zoo z o kft zrt doo ooo zao oao пао ооо ао ае επε und and et y e i og ja & the of de
  der die das du des la le les el los della di do da von van für for bank banque banco banca bank group gruppe groupe grupo
  gruppo holding hospital klinik klinikum krankenhaus hôpital clinique clínica university universität université universidad
  università school schule école institute institut instituto verlag press media consulting partners partner solutions
  services service systems international global deutschland france españa italia foundation stiftung fondation verein club
  museum church clinic court office agency ministry department society association federation kirche praxis apotheke pharmacy pharmacie insurance versicherung center centre zentrum stadtwerke`
    .split(/\s+/)
    .map(fold),
)

/** An organisation: its legal form and what it does stay, names in it become what they become for persons. */
export function otherOrganisation(value: string, surname: Login, keyed: Keyed): string {
  let replaced = false
  const rename = (word: string) => {
    replaced = true
    const isShort = word.length <= 4 && word === word.toUpperCase()
    return isShort ? sameShape(word, keyed, 'acronym') : inCaseOf(word, capital(surname(fold(word))))
  }
  const made = value.replace(/[\p{L}\p{M}]+/gu, word => (kept.has(fold(word)) ? word : rename(word)))
  return replaced ? made : value.replace(/[\p{L}\p{M}]+/u, rename)
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
