import type { Recogniser } from './recogniser.ts'

/** Users that machines and programs come with. */
const ofMachines =
  /^(?:root|adm|admin|administrator|nobody|daemon|guest|test|users?|username|name|unknown|null|none|anonymous|system|service|default|public|shared|all users|default user|app|apps|ops|deploy|deployer|runner|build|builder|ci|jenkins|docker|node|git|svn|hg|ubuntu|debian|centos|fedora|vagrant|ec2-user|linuxbrew|www-data|apache|nginx|httpd|mysql|mariadb|postgres|postgresql|oracle|mongodb|redis|elastic|kafka|rabbitmq|ansible|backup|cron|mail|postfix|ftp|sshd|pi|me|sa|svc[._-].*|(?:dwm|umfd)-\d|.*[._](?:user|app|svc))$/iu

/** Whether a user of a machine is somebody. */
export const isSomebody = (user: string): boolean => !ofMachines.test(user)

const user = '(?<value>[a-z](?:[a-z0-9._-]{0,30}[a-z0-9]))'
const host = '[a-z0-9][a-z0-9.-]{0,60}'
/** What a command may hold before one of its options. */
const options = String.raw`(?= )[^\n\r|;&]{0,160}? `

/** Users and passwords in prompts, commands, keys and logs of servers. */
export const shells: Recogniser[] = [
  {
    name: 'username.prompt',
    label: 'USERNAME',
    pattern: new RegExp(
      String.raw`(?<=(?:^|[\n\r])[ \t>]{0,8}(?:\([\w.-]{1,30}\) )?\[?)${user}(?=@${host}(?::[~/][^\]\n\r$#%]{0,80}| [^\s\]$#%]{1,60}\]| [^\s\]$#%]{1,60} )[$#%](?:[ \n\r]|$))`,
      'giu',
    ),
    valid: isSomebody,
    score: 0.7,
    source: 'prompts of bash and zsh as Debian, Red Hat and macOS set them',
    needs: /@[a-z0-9.-]+[: ]/i,
  },
  {
    name: 'username.key',
    label: 'USERNAME',
    pattern: new RegExp(
      String.raw`(?<=(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}) AAAA[a-z0-9+/]{20,2000}={0,2} )(?<value>[a-z][a-z0-9._-]{0,30}(?:@${host})?)(?![\p{L}\p{N}@])`,
      'giu',
    ),
    valid: comment => isSomebody(comment.split('@')[0]!),
    score: 0.7,
    source: 'OpenSSH, comments of public keys',
    needs: /(?:ssh|ecdsa)-/,
  },
  {
    name: 'username.request',
    label: 'USERNAME',
    pattern: /(?<=(?:^|[\n\r])[\w.:-]{3,60} \S{1,60} )(?<value>[^\s"[\]]{2,64})(?= \[\d{1,2}\/\p{L}{3}\/\d{4}:\d\d:)/gu,
    valid: value => value !== '-' && isSomebody(value),
    score: 0.7,
    source: 'Common Log Format of web servers, the user',
    needs: /\[\d{1,2}\/\p{L}{3}\//u,
  },
  {
    name: 'username.remote',
    label: 'USERNAME',
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}_-])(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)${options}${user}(?=@${host})`,
      'giu',
    ),
    valid: isSomebody,
    score: 0.6,
    source: 'the user before the host in commands of OpenSSH and rsync',
    needs: /@/,
  },
  {
    name: 'username.option',
    label: 'USERNAME',
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}_-])(?:mysql[a-z]{0,8}|mariadb|psql|pg_dump|pg_restore|mongosh?|sqlcmd|curl|smbclient|rpcclient|sshpass|xfreerdp|rdesktop)${options}(?:-[uU] ?|--user(?:name)?[= ]|/u:)['"]?(?:[A-Z0-9-]{2,15}\\)?${user}(?=[\s'":%]|$)`,
      'giu',
    ),
    valid: isSomebody,
    score: 0.65,
    source: 'the user in commands of databases, curl, Samba and remote desktops',
    needs: / (?:-[uU]|--user|\/u:)/,
  },
  {
    name: 'secret.option',
    label: 'SECRET',
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}_-])(?:(?:mysql[a-z]{0,8}|mariadb)${options}-p|sshpass -p ?|redis-cli${options}-a |ldap[a-z]{3,8}${options}-w |curl${options}(?:-u ?|--user )['"]?[^\s'":]{1,64}:|(?:smbclient|rpcclient)${options}-U ?['"]?[^\s'"%]{1,64}%|(?:xfreerdp|rdesktop)${options}(?:/p:|-p ))['"]?(?<value>[^\s'"]{4,100})`,
      'gu',
    ),
    valid: value => !/^(?:\$|<|%|\*|x{4})/iu.test(value),
    score: 0.75,
    source: 'the password in commands of databases, curl, Samba and remote desktops',
    needs: / (?:-[paUuw]|--user|\/p:)/,
  },
  {
    name: 'username.event',
    label: 'USERNAME',
    pattern:
      /(?<![\p{L}\p{N}])(?:account[ _]?name|kontoname|nom (?:du|de) compte|nombre de (?:la )?cuenta|nome (?:account|da conta)|accountnaam|nazwa konta|název účtu|kontonamn|kontonavn|(?:target|subject|caller)user(?:name)?|samaccountname|memberuid)(?:"?>|["']? ?[:=][ \t]{0,16}["']?)(?<value>\p{L}[\p{L}\p{N}._-]{0,60}[\p{L}\p{N}])(?=["']?[ \t]{0,9}(?:$|[\n\r<,;}]))/giu,
    valid: value => isSomebody(value) && !/^\p{Lu}\p{Ll}+$/u.test(value),
    score: 0.7,
    source: 'Windows, event 4624 and its like in ten languages; LDAP, RFC 2307 and Active Directory',
    needs: /[:=>]/,
  },
  {
    name: 'username.domain',
    label: 'USERNAME',
    pattern:
      /(?<![\p{L}\p{N}\\/:._-])(?!HK|NT |BUILTIN|WORKGROUP)[A-Z][A-Z0-9-]{1,14}\\{1,2}(?<value>\p{Ll}[\p{Ll}\d]{0,30}(?:[._-][\p{Ll}\d]{1,30}){0,3})(?![\p{L}\p{N}\\/@]|[.][\p{L}\p{N}])/gu,
    valid: value => value.length > 2 && isSomebody(value),
    score: 0.3,
    near: 0.7,
    context:
      'user users username account logon login log-in logged signed domain owner member benutzer anmeldung angemeldet abgemeldet konto domäne usuario usuário utilisateur compte session utente gebruiker aangemeld użytkownik zalogowany konto uživatel přihlášen användare inloggad bruker bruger kerberos ntlm sid'.split(
        ' ',
      ),
    source: 'Windows, down-level logon names: a domain in capitals, a backslash and the user',
    needs: /[A-Z0-9]\\/,
  },
]
