import { expect, test } from 'vitest'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

/** What of a text is found as secrets and accounts. */
const found = (text: string): string[] =>
  recognise(text, { threshold: 0.5, entities: ['SECRET', 'USERNAME'] }).map(({ start, end }) => text.slice(start, end))

test.each([
  ["CREATE USER 'q'@'%' IDENTIFIED BY 'Kastanie!88';", 'Kastanie!88'],
  ["ALTER USER reporting WITH PASSWORD 'wintermute';", 'wintermute'],
  ["CREATE LOGIN q WITH PASSWORD = N'SonneMond';", 'SonneMond'],
  ['userPassword:: e1NTSEF9d0t5c1pLdGx6UlE9PQ==', 'e1NTSEF9d0t5c1pLdGx6UlE9PQ=='],
  ['  password          = "L4ger!Haus-9"', 'L4ger!Haus-9'],
  ["dbPassword: 'hunterzwei'", 'hunterzwei'],
  ['The password for the wiki is still Pierogi!4ever, change it.', 'Pierogi!4ever'],
  ['passwort root temporär Zibelemärit-77!, nach Übergabe ändern', 'Zibelemärit-77!'],
  ['heslo k excelu Kolace123', 'Kolace123'],
  ['heslo pro náhled DIS+: Bramborak-22', 'Bramborak-22'],
  ['Portaal: mcdejong90, tijdelijk ww Bakfiets#24.', 'mcdejong90 Bakfiets#24'],
  ['alarm 5518, trezor u tety', '5518'],
  ['Nyckelbox 4471, hunden', '4471'],
  ['Login no portal: dilrai92, bom dia', 'dilrai92'],
  ['wifi nazywa się Kamienna_Chata, jakby co', 'Kamienna_Chata'],
  ['Chat: pedale_collinese; foto su Drive', 'pedale_collinese'],
  ['hasło do wi-fi szałasu (baca#1234).', 'baca#1234'],
  ['a password della mail è sempre banco1banco, OK?', 'banco1banco'],
  ['κωδικός εισόδου ΑΥΡΑ-5.', 'ΑΥΡΑ-5'],
  ['Пароль від щоденника змінено: zamkova4b_59', 'zamkova4b_59'],
  ['WLAN moewe1234 lahm', 'moewe1234'],
  ['Gutschein LOTTE-5FREI für Nele', 'LOTTE-5FREI'],
  ['vkladní knížka, heslo „labuť“', 'labuť'],
  ['Codewort „Apfelstrudel“', 'Apfelstrudel'],
  ['Code Haustor 2806#', '2806#'],
  ['Schlüsselkasten neuer Code 4719.', '4719'],
  ['A kapukód hétfőtől 5390.', '5390'],
  ['code porte 18A52 puis à gauche', '18A52'],
  ['nøkkelboks 0517', '0517'],
  ['exp 09/27 CVV: 415', '415'],
  ['The CVC code is 4821', '4821'],
  ['CVV: 2031', '2031'],
  ['expiry oh nine twenty seven and the three digits are 415', '415'],
  ['die Prüfnummer ist 4152 und', '4152'],
  ['cryptogramme : 415', '415'],
  ['bezpečnostní kód je 415', '415'],
  ['gw1 sshd[2214]: Failed password for hpietrucha from 91.203.7.2 port 22', 'hpietrucha'],
  ['sshd[8825]: Failed password for invalid user dkowalczuk port 50122', 'dkowalczuk'],
  ['bastion-02 sudo:  lzapata : TTY=pts/3', 'lzapata'],
  ['imap-login: Login: user=<z.hajna>, method=PLAIN', 'z.hajna'],
  ['[21:10] xX_Naxo_Xx: bist du da', 'xX_Naxo_Xx'],
  ['über Snapchat (Profil perko_91) schrieb', 'perko_91'],
  ['remote session opened by adm.sdimitrova', 'adm.sdimitrova'],
  ['Profil perko_91.', 'perko_91'],
  ['pwd provvisoria per tutti: Ottobre2023$$, obbligo cambio.', 'Ottobre2023$$'],
  ['WLAN für wenn du kommst: Himmel_un_Aehd_11.', 'Himmel_un_Aehd_11'],
  ['clave temporal del admin: tximeleta88!!   CAMBIARLA', 'tximeleta88!!'],
  ['passersystemet: mitt lösen Alvesta4ever måste bytas', 'Alvesta4ever'],
  ['Clés du local : code 4471#, ne pas le mettre', '4471#'],
  ['Parking kod 3407*. Taxi: pan Bolek', '3407*'],
  ['STRIPE_KEY=sk_live_9aTqW7uZ1mB4 – rotated', 'sk_live_9aTqW7uZ1mB4'],
  ['Pakketpunt Noord: pp_live_9fK2x7QwLm41', 'pp_live_9fK2x7QwLm41'],
  ['charged with sk_live_abcdefghIJKLmnopQRSTuvwx', 'sk_live_abcdefghIJKLmnopQRSTuvwx'],
  ['sk_live_4eC39HqLyjWDarjtT1zdp7dc_old.txt', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'],
  ['Code Discord nino_lux12.', 'nino_lux12'],
  [
    '> hanka_zhoracka: dobry den, je jeste volny?\n> jaja1993: je tam jeste misto volne\n> hanka_zhoracka: prijedu fakt dneska',
    'hanka_zhoracka',
  ],
  ['lösenordet är kanelbulle, användare', 'kanelbulle'],
  ['réinit. du mot de passe -> Bienvenue!24, envoyé par SMS', 'Bienvenue!24'],
  ['// password di test: gattonero (non cambiare!)', 'gattonero'],
  ['hasło do wifi: mruczek', 'mruczek'],
  ['nowe hasło to mruczek', 'mruczek'],
  ['password: Sommer!', 'Sommer!'],
  ['Passwort für das WLAN: Sommer!', 'Sommer!'],
  ['O PIN do comando é 0000.', '0000'],
  ['"password":"correct horse"', 'correct'],
  ['PWD=/home/jonas ; USER=root', 'jonas'],
  ['pam_unix: session opened for user jdoe(uid=1000)', 'jdoe'],
])('%s', (text, value) => {
  expect(found(text).join(' ')).toContain(value)
})

test.each([
  'Passwords must have at least 8 characters and change every 90 days.',
  'Das Passwort läuft nach 30 Tagen ab.',
  'WLAN 802.11ac, WPA2-PSK, 5GHz',
  'Das WLAN im Zimmer 12a ist langsam.',
  'Error code 4040 in module 7, HTTP 503.',
  'code postal 75012 Paris',
  'Allarme alle 22:30, allarme del 12.04.2024',
  'sudo: root : TTY=pts/0',
  'user: iam',
  'The password is required to log in. Password is incorrect.',
  'Das Passwort ist abgelaufen. Use the password to access the portal.',
  'Hasło jest krótkie, lösenordet är hemligt',
  'La contraseña estrellada, PWD=/srv/data/files',
  'The session opened by default at noon.',
  'host example.com, profile page, agent 7',
  'Le mot de passe doit être changé.',
  '10:15 Start: alle da',
  'New code 2024 applies; ny kode fra 2024. Nouveau code postal : 75001, nuovo codice ATECO 62010, Alarmcode 3001: Druck niedrig',
  'CVC 2024 in Berlin, security code 12.5, a group of three digits: 415, CVV of three or four digits',
  'neuer Code im Zolltarif 84715000',
  'invalid user input, unknown user agent, Invalid user name or password',
  'WLAN ESP8266, wifi router AX3000, Temp PT100, Profil HEA200, Konto SKR03-1200',
  'password changed at 10:15am, reset requested on 2024-05-12T10:00Z, hashed by bcrypt10, see example.com/login1',
  '08.15 v1.2: neu\n12:30 usb0: weg',
  'Wir lösen das in Excel2016. Issue 4471# and channel 5 of 1200* stars',
  '> De: Ana\n> Para: Luis\n> De: Luis',
  'Portal: web2print, Chat: gpt4o, wifi: wpa2psk, chat is base64',
  'config_live_mode2, db_test_users, is_prod_ready1234',
])('nothing in «%s»', text => {
  expect(found(text)).toEqual([])
})

test('who speaks in a chat without times is found, and settings are none', () => {
  const chat =
    'stefi_arx: wer wohnt eigentlich im dritten\ngiannakis_d: ja der vierte Stock\nstefi_arx: danke dir fürs Bescheid sagen\n'
  expect(found(chat)).toEqual(['stefi_arx', 'giannakis_d', 'stefi_arx'])
  expect(found('first_name: Ann\nlast_name: Berg\nfirst_name: Bob\nlast_name: Carr\n')).toEqual([])
  expect(found('> De: una persona de la casa\n> Para: otra persona de la casa\n> De: una persona\n')).toEqual([])
})

test('labels of lists and settings speak not', () => {
  const lists = 'Q1: How are you today\nA1: I am fine thank you\nQ1: How are you today\nA1: I am fine thank you\n'
  expect(found(lists)).toEqual([])
  expect(found('step_1: open the lid now\nstep_2: close it again then\nstep_1: open the lid now\n')).toEqual([])
})

test.each([
  'password: string;',
  'const password = process.env.DB_PASSWORD',
  'password=getenv("X_PASS")',
  'passwd = crypt.hash(password)',
  'password: ${DB_PASSWORD}',
  'DB_PASSWORD=$DB_PASSWORD',
  'password: ********',
  'userPassword: \ndescription: door',
  'pam_unix(passwd:chauthtok): failed',
])('no secret in %s', text => expect(found(text)).toEqual([]))
