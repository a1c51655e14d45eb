import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts secrets that must be read again. Each is bound to its owner: in another owner's row it cannot be opened. */
export type Vault = { seal(text: string, owner: string): Buffer; open(sealed: Buffer, owner: string): string }

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

export function openVault(pepper: string): Vault {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', 'lodgeway vault', 32))
  return {
    seal(text, owner) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(owner))
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), hidden])
    },
    open(sealed, owner) {
      const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
      return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
