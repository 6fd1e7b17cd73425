import { expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

/** What of a text is found as secrets and accounts. */
const found = (text: string): string[] =>
  recognise(text, { threshold: 0.5, entities: ['SECRET', 'USERNAME'] }).map(({ start, end }) => text.slice(start, end))

const key = `AAAAC3NzaC1lZDI1NTE5AAAAI${'Bsv7'.repeat(10)}`

test.each([
  ['tburkert@crm-db1:~$ sudo systemctl restart nginx', 'tburkert'],
  ['uptime\n[tburkert@web3 etc]$ ls', 'tburkert'],
  ['(venv) ilse.k@lab:/srv/data/ilse.k$ python run.py', 'ilse.k'],
  ['anna@Annas-MBP projects % git pull', 'anna'],
  [`ssh-ed25519 ${key} jonas@laptop`, 'jonas@laptop'],
  ['10.2.0.14 - mfrentzen [12/Mar/2025:08:12:44 +0100] "GET /portal HTTP/1.1" 200 512', 'mfrentzen'],
  ['mysql -h db1 -u tburkert -pHerbst!2024 crm', 'tburkert Herbst!2024'],
  ["sshpass -p 'Zimt+Zucker9' ssh mkolb@10.0.0.4 uptime", 'Zimt+Zucker9 mkolb'],
  ['curl -s -u hwolff:gruenKohl7 https://intranet.example/api', 'hwolff gruenKohl7'],
  ['psql -U lgrabner -d billing -c "select 1"', 'lgrabner'],
  ['scp -P 2222 dump.sql.gz ojelinek@backup.example:/srv/', 'ojelinek'],
  ['Der Benutzer PRAXIS\\hkrause hat sich angemeldet', 'hkrause'],
  ['{"account":"NORDLICHT\\\\s.timm"}', 's.timm'],
])('%s', (text, values) => expect(found(text).sort()).toEqual(values.split(' ').sort()))

test.each([
  'root@web3:~# apt update',
  'deploy@web3:/srv/app$ git pull',
  `ssh-ed25519 ${key} deploy@ci`,
  '10.2.0.14 - - [12/Mar/2025:08:12:44 +0100] "GET / HTTP/1.1" 200 512',
  'mysql -u root -p crm',
  'mysql -u root -p$DB_PASSWORD crm',
  'ssh git@code.example',
  String.raw`HKLM\software\vendor, C:\Users, NT AUTHORITY\system, \\SERVER\share`,
  'The user matches /^ABC\\nfoo/ and the owner is null',
  'curl -s https://api.example/v1/users -H "Accept: text/html"',
])('nobody in %s', text => expect(found(text)).toEqual([]))
