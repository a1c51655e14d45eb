/** What is wrong with a message: the answer is a SOAP fault. */
export class SoapFault extends Error {
  readonly code: string
  readonly details: readonly string[]
  constructor(code: string, message: string, details: readonly string[] = []) {
    super(message)
    this.code = code
    this.details = details
  }
}
