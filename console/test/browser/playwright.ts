import { load } from '../../../server/test/on-demand/on-demand.ts'

// What the tests use of playwright-core. It is installed on demand, and the types must be checked before.

export const loadPlaywright = (): Promise<{ chromium: { launch(options: LaunchOptions): Promise<Browser> } }> =>
  load('playwright-core')

type LaunchOptions = { executablePath: string; env: NodeJS.ProcessEnv }

export type Browser = {
  newContext(options: BrowserContextOptions): Promise<BrowserContext>
  close(): Promise<void>
}

export type BrowserContextOptions = {
  baseURL?: string
  viewport?: Size
  locale?: string
  javaScriptEnabled?: boolean
  forcedColors?: 'active' | 'none'
  reducedMotion?: 'reduce' | 'no-preference'
}

export type BrowserContext = {
  on(event: 'request', listener: (request: Request) => void): void
  on(event: 'weberror', listener: (error: { error(): Error }) => void): void
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void
  request: {
    post(
      path: string,
      options: { form: Record<string, string>; headers: Record<string, string> },
    ): Promise<PostResponse>
  }
  newPage(): Promise<Page>
  newCDPSession(page: Page): Promise<Session>
  grantPermissions(names: string[]): Promise<void>
  close(): Promise<void>
}

type Session = { send(method: string, parameters: object): Promise<unknown>; detach(): Promise<void> }
type PostResponse = { ok(): boolean; status(): number; headers(): Record<string, string> }

type Route = { fulfill(answer: { contentType: string; body: string }): Promise<void> }

export type Page = {
  route(url: string, answer: (route: Route) => Promise<void>): Promise<void>
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> }
  context(): BrowserContext
  url(): string
  goto(address: string): Promise<Response | null>
  reload(): Promise<Response | null>
  evaluate<Result>(expression: string): Promise<Result>
  locator: Locate
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean }): Locator
  getByLabel(label: string): Locator
  textContent(selector: string): Promise<string | null>
  waitForEvent(event: 'framenavigated'): Promise<unknown>
  waitForEvent(event: 'filechooser'): Promise<{ setFiles(file: ChosenFile): Promise<void> }>
  waitForLoadState(state: 'domcontentloaded'): Promise<void>
  waitForURL(url: string | ((url: URL) => boolean)): Promise<void>
  waitForResponse(isWanted: (response: Response) => boolean): Promise<Response>
  on(event: 'dialog', listener: (dialog: { message(): string; dismiss(): Promise<void> }) => void): void
  viewportSize(): Size | null
  setViewportSize(size: Size): Promise<void>
  emulateMedia(options: { colorScheme?: 'light' | 'dark'; media?: 'print' }): Promise<void>
  screenshot(options: { path: string }): Promise<unknown>
  pdf(options: { format: string }): Promise<Buffer>
  close(): Promise<void>
}

export type Locator = {
  locator: Locate
  filter(options: { hasText: string | RegExp }): Locator
  first(): Locator
  all(): Promise<Locator[]>
  count(): Promise<number>
  waitFor(options?: { timeout: number }): Promise<void>
  isVisible(): Promise<boolean>
  textContent(): Promise<string | null>
  inputValue(): Promise<string>
  getAttribute(name: string): Promise<string | null>
  boundingBox(): Promise<{ height: number } | null>
  evaluate<Element, Result>(work: (element: Element) => Result): Promise<Result>
  fill(text: string): Promise<void>
  check(): Promise<void>
  uncheck(): Promise<void>
  click(): Promise<void>
  press(key: string): Promise<void>
  selectOption(value: string): Promise<unknown>
}

type Locate = (selector: string, options?: { hasText: string | RegExp }) => Locator
type Size = { width: number; height: number }
type ChosenFile = { name: string; mimeType: string; buffer: Buffer }
type Request = { url(): string; method(): string; allHeaders(): Promise<Record<string, string>> }
type Response = { url(): string; status(): number; request(): Request }
