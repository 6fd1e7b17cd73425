/** What every kind of source is tried with. */
export const cases = [
  'good',
  'wrong password',
  'nothing there',
  'no permission',
  'refused',
  'time-out',
  'untrusted TLS',
  'another identity',
  'lost while reading',
  'cancelled',
] as const
export type Case = (typeof cases)[number]

export type Row = {
  /** Kind and, where it has several, protocol or provider. */
  kind: string
  /** What it is tried on. */
  on: string
  /** Cases that are tried on a stand-in for the driver, and on no server at all. */
  standIn?: readonly Case[]
  /** Cases that are not tried, each with its reason. */
  untried?: Partial<Record<Case, string>>
}

const noTls = 'does not apply: plain FTP has no encryption and no identity'
const noServer = 'does not apply: no server is asked'
const apart = 'does not apply: Microsoft and Google are verified by the public authorities, nothing is pinned'

/**
 * One row for each kind of server, one cell for each case: a cell is tried unless it says why not. The suites are held to
 * it by `row`, and `docs/conformance.md` shows it.
 */
export const rows = {
  PostgreSQL: { kind: '`DB_ENGINE_1`', on: 'PostgreSQL 15' },
  MySQL: {
    kind: '`DB_ENGINE_2`',
    on: 'go-mysql-server, which speaks the protocol and the SQL of MySQL 8.0; not MySQL itself',
    untried: {
      'no permission':
        'not tried: go-mysql-server denies without MySQL’s error numbers; the same code is tried on MariaDB',
    },
  },
  MariaDB: { kind: '`DB_ENGINE_3`', on: 'MariaDB 10.11' },
  'SQL Server': { kind: '`DB_ENGINE_4`', on: 'a fake of its protocol, which FreeTDS accepts' },
  Oracle: {
    kind: '`DB_ENGINE_5`',
    on: 'the real driver on listeners of our own; what follows the login on a stand-in for the driver',
    standIn: ['good', 'wrong password', 'nothing there', 'no permission', 'lost while reading', 'cancelled'],
  },
  SFTP: {
    kind: '`FTP/SFTP` `sftp`',
    on: 'OpenSSH 9.2',
    untried: { 'untrusted TLS': 'does not apply: SSH knows servers by their host keys' },
  },
  FTPS: { kind: '`FTP/SFTP` `ftps`', on: 'vsftpd 3.0' },
  'FTPS, implicit': { kind: '`FTP/SFTP` `ftps_implicit`', on: 'vsftpd 3.0' },
  FTP: {
    kind: '`FTP/SFTP` `ftp`',
    on: 'vsftpd 3.0',
    untried: { 'untrusted TLS': noTls, 'another identity': noTls },
  },
  SharePoint: {
    kind: '`SITE_LIBRARY`',
    on: 'a fake that Microsoft’s own client accepts',
    untried: { 'another identity': apart },
  },
  OneDrive: {
    kind: '`CLOUD_DRIVE` `onedrive`',
    on: 'a fake that Microsoft’s own client accepts',
    untried: { 'another identity': apart },
  },
  'Google Drive': {
    kind: '`CLOUD_DRIVE` `google_drive`',
    on: 'a fake that Google’s own client accepts',
    untried: { 'another identity': apart },
  },
  S3: {
    kind: '`CLOUD_DRIVE` `s3`',
    on: 'the S3 of the local cloud',
    untried: { 'another identity': 'does not apply: S3 is verified by the public authorities, nothing is pinned' },
  },
  'Local files': {
    kind: '`LOCAL_ASSET`',
    on: 'real folders',
    untried: {
      'wrong password': noServer,
      'no permission': 'not tried: the tests run as root, which may read everything',
      refused: noServer,
      'time-out': noServer,
      'untrusted TLS': noServer,
      'another identity': noServer,
      'lost while reading': noServer,
    },
  },
} satisfies Record<string, Row>
export type RowName = keyof typeof rows
