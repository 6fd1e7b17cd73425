/**
 * Fields whose names are abbreviations of one program's own: SAP's data elements (https://help.sap.com), attributes of LDAP
 * (RFC 2798, RFC 4519) and of Active Directory, and columns of the OMOP model (https://ohdsi.github.io/CommonDataModel/).
 * By label, in lower case, without what is no letter and no digit.
 */
const byLabel: Readonly<Record<string, string>> = {
  PERSON:
    'nachn vorna midnm cname ename sname rufnm nach2 name2first namefirst namelast namelst2 mcname1 mcname2 mcnamefirst mcnamelast ' +
    'givenname displayname distinguishedname fatxt',
  USERNAME:
    'ernam aenam uname usnam bname xubname crusr cruser chusr createdbyuser usrid userprincipalname samaccountname upn mailnickname ' +
    'lastmodifiedby targetuser',
  ID: 'pernr kunnr lifnr bpext perid objectguid objectsid sid personid providerid personsourcevalue providersourcevalue employeeid employeenumber uidnumber',
  DATE:
    'erdat aedat begda endda crdat chdat budat bldat cpudt valut datab datbi gltgv gltgb fkdat audat lfdat wadat bedat ' +
    'whencreated whenchanged lastlogontimestamp pwdlastset accountexpires',
  DATE_OF_BIRTH: 'gbdat gbdep birthdt birthdate gbjhr yearofbirth birthdatetime',
  LOCATION:
    'ort01 ort02 gbort pstlz pstl2 pfach regio land1 gblnd city1 city2 postcode1 postcode2 bland counc ' +
    'physicaldeliveryofficename',
  ADDRESS:
    'stras stras2 housenum1 adrnr addrnumber strsuppl1 strsuppl2 locat streetaddress homepostaladdress registeredaddress',
  PHONE:
    'telf1 telf2 telfx telnr telnumber faxnumber mobnumber telephonenumber homephone facsimiletelephonenumber ipphone',
  EMAIL: 'smtpaddr smtpaddress usridlong mail proxyaddresses',
  DEMOGRAPHIC:
    'gesch famst natio sprsl spras langu anred anredtitle titel anzkd stell plans sltyp slart gendersourcevalue genderconceptid',
  TAX_ID: 'stcd1 stcd2 stcd3 stcd4 stceg stenr taxnum',
  BANK_ACCOUNT: 'bankn bkont',
  ORGANIZATION: 'orgtx banka',
  QUANTITY: 'betrg bet01 ansal',
  '*': 'konfe relig racesourcevalue sbgru ethniccode raceconceptid ethnicityconceptid conditionsourcevalue conditionconceptid drugsourcevalue',
}

const labels = new Map(
  Object.entries(byLabel).flatMap(([label, names]) => names.split(' ').map((name): [string, string] => [name, label])),
)

/** The label of a program's own field, `*` for what is sensitive; undefined for all others. */
export const programField = (name: string): string | undefined =>
  labels.get(name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
