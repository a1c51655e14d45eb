/** Called before each part of something long, with how much of it is done. It may throw, to end it there. */
export type OnStep = (what: string, of?: { done: number; total: number }) => void
