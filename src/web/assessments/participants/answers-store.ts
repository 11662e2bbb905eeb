import type { SavedAnswers, StoredAnswer } from '#contract/assessments/answers/answer-schema.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Drafts } from '#web/questions/draft-answers.ts'
import { type CellValue, changedCells, draftsOf, withCell, withRowKeys } from './answer-drafts.ts'
import {
  type Cell,
  cellKey,
  type Change,
  type Choice,
  openQueue,
  type Result,
  type ServerAnswer,
} from './answer-queue.ts'
import { AnswerSync, type SyncParts, type SyncState } from './answer-sync.ts'

export type AnswersView = Readonly<{
  drafts: Drafts
  /** Of the drafts. */
  language: string
  sync: SyncState
  /** What the server has, by question and row. */
  stored: ReadonlyMap<string, StoredAnswer>
}>

type Options = Readonly<{
  compiled: CompiledDefinition
  language: string
  /** From the server, cleared ones included. */
  answers: readonly StoredAnswer[]
  /** Changes that this device kept. */
  kept: readonly Change[]
  parts: Omit<SyncParts, 'send'>
  /** Sends changes. @throws SendFailure */
  save: (changes: readonly Change[], options: { keepalive: boolean }) => Promise<SavedAnswers>
}>

/** The answers of one target while a person works on them: what is typed, what waits, and what the server has. */
export class AnswersStore {
  readonly sync: AnswerSync
  readonly #compiled: CompiledDefinition
  readonly #newId: () => string
  readonly #listeners = new Set<() => void>()
  #view: AnswersView

  constructor({ compiled, language, answers, kept, parts, save }: Options) {
    this.#compiled = compiled
    this.#newId = parts.newId
    const send: SyncParts['send'] = async (changes, options) => {
      const { results } = await save(changes, options)
      this.#store(results.flatMap(({ current }) => current ?? []))
      return results.map(toResult)
    }
    const queue = openQueue(kept, revisionsOf(answers))
    this.sync = new AnswerSync({ ...parts, send }, queue)
    const cells = [...answers.map(cellOf), ...queue.changes]
    this.#view = {
      drafts: draftsOf(compiled, cells, language),
      language,
      sync: this.sync.state(),
      stored: new Map(answers.map((answer) => [cellKey(cellOf(answer)), answer])),
    }
    this.sync.subscribe(() => this.#set({ sync: this.sync.state() }))
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly view = (): AnswersView => this.#view

  /** A question was answered, or a row of it changed. */
  change(code: string, draft: unknown): void {
    const question = this.#compiled.byCode.get(code)?.question
    const before = this.#view.drafts[code]
    // A table that was marked as not applicable has its rows again.
    const isRestored = question?.type === 'table' && draft === ''
    const after = isRestored ? this.#rowsOf(code) : withRowKeys(question, draft, this.#newId)
    this.#set({ drafts: { ...this.#view.drafts, [code]: after } })
    const cells = changedCells(this.#compiled, code, {
      before,
      after: isRestored ? '' : after,
      language: this.#view.language,
    })
    for (const { value, ...cell } of cells) this.sync.type(cell, value)
  }

  /** Takes the answers of the server. An answer with a change on its way, and one that isn't new, stay as they are. */
  take(answers: readonly StoredAnswer[]): void {
    const { queue, typing } = this.sync.state()
    const pending = new Set([...queue.changes.map(cellKey), ...typing.keys()])
    const fresh = answers.filter((answer) => {
      const key = cellKey(cellOf(answer))
      return !pending.has(key) && (queue.revs.get(key) ?? 0) < answer.rev
    })
    this.#store(answers)
    if (fresh.length === 0) return
    this.#show(fresh.map(cellOf))
    this.sync.learn(revisionsOf(fresh))
  }

  /** Chooses between two values of an answer. */
  async settle(change: Change, choice: Choice): Promise<void> {
    if (choice.kind !== 'mine') {
      const value = choice.kind === 'both' ? choice.value : change.current?.value
      this.#show([{ question: change.question, row: change.row, value: value ?? null }])
    }
    await this.sync.settle(change.id, choice)
  }

  /** Numbers are typed as the language writes them. */
  setLanguage(language: string): void {
    const { drafts, language: former } = this.#view
    if (language === former) return
    const cells = Object.keys(drafts).flatMap((code) =>
      changedCells(this.#compiled, code, { before: '', after: drafts[code], language: former }),
    )
    this.#set({ drafts: draftsOf(this.#compiled, cells, language), language })
  }

  /** Keeps what was typed on the device and stops. */
  async close(): Promise<void> {
    await this.sync.keepTyped()
    this.sync.stop()
  }

  /** The rows of a table on the server and on their way to it, as drafts. */
  #rowsOf(code: string): unknown {
    const { stored, sync } = this.#view
    const cells = [...[...stored.values()].map(cellOf), ...sync.queue.changes]
    const rows = cells.filter(({ question, row }) => question === code && row !== '')
    return draftsOf(this.#compiled, rows, this.#view.language)[code]
  }

  #show(cells: readonly CellValue[]): void {
    let { drafts } = this.#view
    for (const cell of cells) drafts = withCell(this.#compiled, drafts, cell, this.#view.language)
    this.#set({ drafts })
  }

  #store(answers: readonly StoredAnswer[]): void {
    const stored = new Map(this.#view.stored)
    for (const answer of answers) {
      const key = cellKey(cellOf(answer))
      if ((stored.get(key)?.rev ?? 0) <= answer.rev) stored.set(key, answer)
    }
    this.#set({ stored })
  }

  #set(change: Partial<AnswersView>): void {
    this.#view = { ...this.#view, ...change }
    for (const listener of this.#listeners) listener()
  }
}

const cellOf = ({ questionCode, rowKey, value }: StoredAnswer): CellValue => ({
  question: questionCode,
  row: rowKey,
  value: value ?? null,
})

const revisionsOf = (answers: readonly StoredAnswer[]): ReadonlyMap<string, number> =>
  new Map(answers.map((answer) => [cellKey(cellOf(answer)), answer.rev]))

/** An answer that the server doesn't have: it was never given, or removed. */
const NONE: ServerAnswer = { value: null, rev: 0, by: '', at: '' }

function toResult({ mutationId: id, ...result }: SavedAnswers['results'][number]): Result {
  if (result.status === 'accepted') return { id, kind: 'accepted', rev: result.rev ?? 0 }
  if (result.status === 'refused') return { id, kind: 'refused', message: result.problem?.message ?? '' }
  const { current } = result
  if (current === null) return { id, kind: 'conflict', current: NONE }
  const { value = null, rev, answeredBy: by, answeredAt: at } = current
  return { id, kind: 'conflict', current: { value, rev, by, at } }
}

/** When the server last saved an answer to a question, and who gave it; null if it has none. */
export function lastSaved(
  stored: AnswersView['stored'],
  question: Cell['question'],
): Pick<StoredAnswer, 'answeredAt' | 'answeredBy'> | null {
  let last: StoredAnswer | null = null
  for (const answer of stored.values()) {
    if (answer.questionCode !== question || answer.value === null || answer.value === undefined) continue
    if (last === null || last.answeredAt < answer.answeredAt) last = answer
  }
  return last
}
