import type { StoredAnswer } from '#contract/assessments/targets/answer-schema.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Drafts } from '#web/questions/draft-answers.ts'
import { cellKey, type Change, type Choice, combine, openQueue, type SentValue } from './answer-queue.ts'
import { AnswerSync, type SyncParts, type SyncState } from './answer-sync.ts'
import { cellsOf, rowKeyOf, toDrafts, withRowKeys } from './answer-cells.ts'

type Received = Pick<StoredAnswer, 'questionCode' | 'rowKey' | 'value' | 'rev'>

/** What is in the inputs, and where each answer is. */
export type AnsweringState = Readonly<{ drafts: Drafts; sync: SyncState }>

type Options = Readonly<{
  compiled: CompiledDefinition
  language: string
  /** Answers of the server. */
  answers: readonly Received[]
  /** Changes that this device kept. */
  kept: readonly Change[]
  parts: SyncParts
}>

const keyOf = (question: string, row: string) => cellKey({ question, row })

/**
 * The answers of one target on this device: inputs, and the queue of their changes. An answer that someone else gave meanwhile
 * is shown unless a change of it is on its way; then the server reports the conflict.
 */
export class Answering {
  readonly sync: AnswerSync
  readonly #compiled: CompiledDefinition
  #language: string
  readonly #newId: () => string
  readonly #listeners = new Set<() => void>()
  /** The latest value of each cell, sent or typed, as JSON. */
  readonly #values = new Map<string, string>()
  /** The rows of tables that are "not applicable" now, to bring them back. */
  readonly #former = new Map<string, unknown>()
  #state: AnsweringState

  constructor({ compiled, language, answers, kept, parts }: Options) {
    this.#compiled = compiled
    this.#language = language
    this.#newId = parts.newId
    const revs = new Map(answers.map((one) => [keyOf(one.questionCode, one.rowKey), one.rev]))
    this.sync = new AnswerSync(parts, openQueue(kept, revs))
    const cells = new Map(answers.map((one) => [keyOf(one.questionCode, one.rowKey), one]))
    // In the order they were typed.
    for (const { question, row, value } of this.sync.state().queue.changes) {
      cells.set(keyOf(question, row), { questionCode: question, rowKey: row, value, rev: 0 })
    }
    for (const [key, { value }] of cells) this.#values.set(key, JSON.stringify(value ?? null))
    this.#state = { drafts: toDrafts(compiled, [...cells.values()], language), sync: this.sync.state() }
    this.sync.subscribe(() => this.#set({ sync: this.sync.state() }))
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly state = (): AnsweringState => this.#state
  /** Of the inputs. */
  get language(): string {
    return this.#language
  }

  /** Shows the inputs as another language writes them. Nothing is sent. */
  setLanguage(language: string): void {
    if (language === this.#language) return
    const { drafts } = this.#state
    const cells = Object.keys(drafts).flatMap((code) => {
      const sent = cellsOf(this.#compiled, { code, draft: drafts[code], language: this.#language, known: [] })
      return [...sent].map(([rowKey, value]) => ({ questionCode: code, rowKey, value }))
    })
    this.#language = language
    this.#set({ drafts: toDrafts(this.#compiled, cells, language) })
  }

  /** An input was changed. `source`: the target whose offered answer was taken. */
  change(code: string, entered: unknown, source?: string): void {
    const isTable = this.#compiled.byCode.get(code)?.question.type === 'table'
    const before = this.#state.drafts[code]
    if (isTable && Array.isArray(before) && !Array.isArray(entered)) this.#former.set(code, before)
    const restored = isTable && entered === '' ? (this.#former.get(code) ?? '') : entered
    const draft = isTable ? withRowKeys(restored, this.#newId) : restored
    this.#set({ drafts: { ...this.#state.drafts, [code]: draft } })
    const cells = cellsOf(this.#compiled, {
      code,
      draft,
      language: this.#language,
      known: this.#rowsOf(code),
    })
    // A table with rows is no longer "not applicable".
    if (isTable && Array.isArray(draft)) cells.set('', null)
    for (const [row, value] of cells) this.#type(code, row, value, source)
  }

  /** Sends values of a question again that the server refused: it may accept them now, as after an assessment was reopened. */
  async resend(code: string): Promise<void> {
    for (const { question, row, value, state, source } of this.sync.state().queue.changes)
      if (question === code && state === 'refused') this.sync.type({ question, row }, value, source)
    await this.sync.flush()
  }

  /** Gives up what the server refused of a question, and shows what it has. `answers`: of the server. */
  async drop(code: string, answers: readonly Received[]): Promise<void> {
    const rows = this.sync
      .state()
      .queue.changes.flatMap(({ question, row, state }) =>
        question === code && state === 'refused' ? [row] : [],
      )
    await this.sync.drop(code)
    for (const row of rows) {
      const stored = answers.findLast((one) => one.questionCode === code && one.rowKey === row)
      this.#show(code, row, stored?.value ?? null)
    }
  }

  /** Shows answers that were read again. */
  receive(answers: readonly Received[]): void {
    const { queue } = this.sync.state()
    const busy = new Set(queue.changes.map((one) => keyOf(one.question, one.row)))
    const newer = answers.filter((one) => {
      const key = keyOf(one.questionCode, one.rowKey)
      return !busy.has(key) && one.rev > (queue.revs.get(key) ?? 0)
    })
    this.sync.learn(new Map(answers.map((one) => [keyOf(one.questionCode, one.rowKey), one.rev])))
    for (const one of newer) this.#show(one.questionCode, one.rowKey, one.value)
  }

  /** Chooses between two values of one answer, and shows the result. */
  async resolveConflict(change: Change, kind: 'mine' | 'theirs' | 'both'): Promise<void> {
    const type = this.#compiled.byCode.get(change.question)?.question.type ?? ''
    const theirs = change.current?.value ?? null
    const both = kind === 'both' ? combine(type, theirs, change.value) : null
    const choice: Choice =
      both === null ? { kind: kind === 'theirs' ? 'theirs' : 'mine' } : { kind: 'both', value: both.value }
    if (choice.kind !== 'mine')
      this.#show(change.question, change.row, choice.kind === 'both' ? choice.value : theirs)
    await this.sync.resolveConflict(change.id, choice)
  }

  #type(code: string, row: string, value: SentValue, source: string | undefined): void {
    const key = keyOf(code, row)
    const text = JSON.stringify(value ?? null)
    if ((this.#values.get(key) ?? 'null') === text) return
    this.#values.set(key, text)
    this.sync.type({ question: code, row }, value, source)
  }

  #rowsOf(code: string): string[] {
    const prefix = keyOf(code, '')
    return [...this.#values.keys()].flatMap((key) =>
      key.startsWith(prefix) && key.length > prefix.length ? [key.slice(prefix.length)] : [],
    )
  }

  /** Puts a value of the server into the inputs. */
  #show(code: string, row: string, value: unknown): void {
    this.#values.set(keyOf(code, row), JSON.stringify(value ?? null))
    const [draft] = Object.values(
      toDrafts(this.#compiled, [{ questionCode: code, rowKey: row, value }], this.#language),
    )
    const before = this.#state.drafts[code]
    if (row === '') {
      const isTable = this.#compiled.byCode.get(code)?.question.type === 'table'
      const empty = isTable && Array.isArray(before) ? before : ''
      this.#set({ drafts: { ...this.#state.drafts, [code]: draft ?? empty } })
      return
    }
    const rows: readonly unknown[] = Array.isArray(before) ? before : []
    const shown: readonly unknown[] = Array.isArray(draft) ? draft : []
    const at = rows.findIndex((one) => rowKeyOf(one) === row)
    const next = at === -1 ? [...rows, ...shown] : rows.toSpliced(at, 1, ...shown)
    this.#set({ drafts: { ...this.#state.drafts, [code]: next } })
  }

  #set(change: Partial<AnsweringState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}
