/** Values that a careless driver loses: every row must come back with the same bytes. */
export const extremes = `
create table clinic.extremes (
  id int primary key, big bigint, num numeric(38,18), n numeric, r real, d double precision, t text, c char(4), b bytea,
  ts timestamp, tz timestamptz, day date, tm time, iv interval, j json, jb jsonb, u uuid, a int[], ta text[], bo boolean,
  ip inet, x xml, m bit varying, p point);
insert into clinic.extremes values
  (1, 9223372036854775807, 12345678901234567890.123456789012345678, 'NaN', 1.17549435e-38, 5e-324, '', 'a', '\\x00ff',
   '0044-03-15 12:00:00.123456 BC', '294276-12-31 23:59:59.999999+00', '5874897-12-31', '24:00:00',
   '1 year -2 days 03:04:05.000006', '{"a":1.00000000000000000001, "a":2}', '{"a":1.00000000000000000001}',
   'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{{1,2},{3,null}}', '{"a,b",NULL,"NULL",""}', true, '::1/64', '<a> b</a>',
   '10101', '(1.1,-0)'),
  (2, -9223372036854775808, -0.000000000000000001, '1e130', 16777217, 0.1, null, null, '', 'infinity', '-infinity',
   '-infinity', '00:00:00.000001', '-178000000 years', 'null', '"\\u00e9"', null, '{}', '{}', false, '10.0.0.1', null, '',
   null),
  (3, 0, 0, 'Infinity', '-Infinity', 'NaN', E'\\\\N', 'é', '\\xdeadbeef', '1970-01-01', '1970-01-01 00:00:00+14',
   '0001-01-01 BC', '12:00', '0', '[]', '[]', null, null, null, null, null, null, null, null),
  (4, 1, 1, 1, 1, 1, E'a "quote", a comma,\\r\\na line\\ttab \\\\. end', '', '\\x5c', null, null, null, null, null, null, null,
   null, null, null, null, null, null, null, null),
  (5, 1, 1, 1, 1, 1, ' 😀 e\u0301 NULL ', '    ', null, null, null, null, null, null, null, null, null, null, null, null,
   null, null, null, null);`
