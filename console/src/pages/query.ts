/** A value of the address, if it is one of the known ones. */
export const oneOf = <Key extends string>(table: Record<Key, unknown>, value: string | null): Key | undefined =>
  value !== null && Object.hasOwn(table, value) ? (value as Key) : undefined
