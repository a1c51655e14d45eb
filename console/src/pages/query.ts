/** A value of the address, if it is one of the known ones. */
export const oneOf = <Key extends string>(table: Record<Key, unknown>, value: string | null): Key | undefined =>
  value !== null && Object.hasOwn(table, value) ? (value as Key) : undefined

/** The filters in an address or a form: those that are not empty. */
export const filtersOf = <Name extends string>(
  given: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = given.get(name)?.trim()
      return value ? [[name, value]] : []
    }),
  ) as Partial<Record<Name, string>>
