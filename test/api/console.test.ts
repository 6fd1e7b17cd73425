import { expect, test } from 'vitest'
import { useService } from './setup.ts'

const service = await useService()
const headers = { 'X-Console': '1' }
const cookieOf = (headers: Headers) => headers.get('set-cookie')!

async function logIn() {
  const { user, password } = await service.person()
  const reply = await service.send('POST', '/auth/login', { body: { email: user.email, password }, headers })
  return { reply, cookie: cookieOf(reply.headers).split(';')[0]! }
}

test('the console gets its refresh token as a cookie, and not in the body', async () => {
  const { reply } = await logIn()
  expect(reply.body).not.toHaveProperty('refresh_token')
  expect(cookieOf(reply.headers)).toMatch(
    /^refresh_token=[^;]+; Path=\/api\/auth; Max-Age=\d+; HttpOnly; SameSite=Strict/,
  )
})

test('the cookie gets one that follows it, once, and only where the header says that the console calls', async () => {
  const { cookie } = await logIn()
  const refresh = (more: Record<string, string>) => service.send('POST', '/auth/refresh', { body: {}, headers: more })
  expect((await refresh({ Cookie: cookie })).status).toBe(422)
  const renewed = await refresh({ ...headers, Cookie: cookie })
  expect(renewed.status).toBe(200)
  expect(renewed.body).not.toHaveProperty('refresh_token')
  expect(cookieOf(renewed.headers).split(';')[0]).not.toBe(cookie)
  expect((await refresh(headers)).status).toBe(401)
  // Two tabs that begin together have the same cookie, and so has a page that is loaded again before its answer came.
  const again = await refresh({ ...headers, Cookie: cookie })
  expect([again.status, again.headers.get('set-cookie')]).toEqual([200, null])
  const next = cookieOf(renewed.headers).split(';')[0]!
  expect((await refresh({ ...headers, Cookie: next })).status).toBe(200)
  expect((await refresh({ ...headers, Cookie: cookie })).status).toBe(401)
  expect((await refresh({ ...headers, Cookie: next })).status).toBe(401)
})

test('tabs that renew at the same moment all go on, and one of them brings the next cookie', async () => {
  const { cookie } = await logIn()
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      service.send('POST', '/auth/refresh', { body: {}, headers: { ...headers, Cookie: cookie } }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(replies.filter(reply => reply.headers.has('set-cookie'))).toHaveLength(1)
})

test('log-out takes the cookie back', async () => {
  const { reply } = await logIn()
  const { access_token: token } = reply.body as { access_token: string }
  const out = await service.send('POST', '/auth/logout', { token, headers })
  expect(cookieOf(out.headers)).toMatch(/^refresh_token=; Path=\/api\/auth; Max-Age=0;/)
})

test('clients other than the console get no cookie', async () => {
  const { user, password } = await service.person()
  const reply = await service.send('POST', '/auth/login', { body: { email: user.email, password } })
  expect(reply.headers.get('set-cookie')).toBeNull()
  expect(reply.body).toHaveProperty('refresh_token')
})

test('the page allows nothing from elsewhere and no frame around it', async () => {
  const { headers: sent, text } = await service.send('GET', '/console/')
  const policy = sent.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|\*(?!\.s3)/)
  expect(text).not.toMatch(/<script>|<style|\son\w+=/)
})

test('only the files of the console are there', async () => {
  expect((await service.send('GET', '/console/app.css')).headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect((await service.send('GET', '/console/other.js')).status).toBe(404)
})
