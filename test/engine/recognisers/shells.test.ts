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
  ['sshd[9]: Disconnected from user kvandijk 192.0.2.7 port 51022', 'kvandijk'],
  ['sshd[9]: Connection closed by authenticating user mhorvath 192.0.2.8 port 5199 [preauth]', 'mhorvath'],
  ['systemd[1]: Started Session 418 of user kvandijk.', 'kvandijk'],
  ['useradd[23]: new user: name=pdelacroix, UID=1010, GID=1010', 'pdelacroix'],
  ['passwd[24]: pam_unix(passwd:chauthtok): password changed for pdelacroix', 'pdelacroix'],
  ["usermod[25]: add 'pdelacroix' to group 'docker'", 'pdelacroix'],
  ['su[26]: FAILED SU (to root) mhorvath on pts/1', 'mhorvath'],
  ['dovecot: imap-login: Login: user=<sgreco>, method=PLAIN', 'sgreco'],
  ['dovecot: imap(sgreco)<25><x8aKf0>: Logged out in=120', 'sgreco'],
  ['vsftpd[27]: [lnovak] OK LOGIN: Client "192.0.2.9"', 'lnovak'],
  ['FATAL: password authentication failed for user "jterpstra"', 'jterpstra'],
  ['Account Name:\t\ttweigel\n\tAccount Domain:\t\tKONTOR', 'tweigel'],
  ['Nom du compte :\t\tlfournier', 'lfournier'],
  ['<Data Name="TargetUserName">cbianchi</Data>', 'cbianchi'],
  ['memberUid: mnowakowski', 'mnowakowski'],
  [String.raw`C:\Documents and Settings\Tobias Weigel\Desktop`, 'Tobias Weigel'],
  [String.raw`\\fs01\home$\tweigel\scans`, 'tweigel'],
])('%s', (text, values) => expect(found(text).sort().join(' ')).toBe(values.split(' ').sort().join(' ')))

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
  'session opened for user root(uid=0) by (uid=1004)',
  'Connection closed by user request, for user experience',
  'inflight@1.0.6: it leaks memory, as 50 % of all uses show',
  'Account Name: Savings',
  'Account Name:\t\tSYSTEM',
  'psql -U billing_app -d billing',
  String.raw`C:\Users\Public\Desktop`,
])('nobody in %s', text => expect(found(text)).toEqual([]))
