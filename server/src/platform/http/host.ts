const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether a `Host` header names this service: by a name that was configured, or as this machine. */
export function isOwnHost(
  host: string | undefined,
  { names, loopback }: { names: readonly string[]; loopback: boolean },
): boolean {
  const own = URL.parse(`http://${host}`)
  return own !== null && (names.includes(own.hostname) || (loopback && LOOPBACK.test(own.hostname)))
}
