// A cookie with the prefix `__Host-` is accepted only over TLS, without a domain and for the whole host, so neither
// another host of the domain nor a plain connection can plant one. In the sandbox, which has no TLS, it has no prefix.

export type Cookie = { name: string; secure: boolean }

export const sessionCookie = (sandbox: boolean): Cookie => cookieOf('lodgeway', sandbox)
export const signInCookie = (sandbox: boolean): Cookie => cookieOf('lodgeway-sign-in', sandbox)

const cookieOf = (name: string, sandbox: boolean): Cookie => ({
  name: sandbox ? name : `__Host-${name}`,
  secure: !sandbox,
})

/** Without a number of seconds it lasts until the browser is closed. `Lax`, as people come back from the provider. */
export function setCookie({ name, secure }: Cookie, value: string, seconds?: number): string {
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}${age}`
}

export const clearCookie = (cookie: Cookie): string => setCookie(cookie, '', 0)

/** A name that occurs twice is nobody's: one of the two was planted. */
export function readCookie(header: string | null | undefined, { name }: Cookie): string | undefined {
  const values = (header ?? '').split(/; */).filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? values[0]?.slice(name.length + 1) || undefined : undefined
}
