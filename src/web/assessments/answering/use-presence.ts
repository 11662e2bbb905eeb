import { useEffect, useState } from 'react'
import {
  PRESENCE_EVERY_SECONDS,
  PRESENCE_SECONDS,
  type PresentPerson,
} from '#contract/assessments/targets/presence.ts'
import { PageUse } from './page-use.ts'

/** The focus often passes a question on its way to another. */
const SETTLE_MS = 400

type At = { visitId: string; questionCode: string | null; isLeaving: boolean }
/** Says where this page is, and returns who else has the target open. */
type Report = (at: At, options: { keepalive: boolean }) => Promise<readonly PresentPerson[]>

/** Who else has a target open now. Others see this page at `questionCode` while it is visible and used. */
export function usePresence(questionCode: string | null, report: Report): readonly PresentPerson[] {
  const [others, setOthers] = useState<readonly PresentPerson[]>([])
  const [visit] = useState(() => new Visit(report, setOthers))
  useEffect(() => visit.moveTo(questionCode), [visit, questionCode])
  useEffect(() => visit.start(), [visit])
  return others
}

/** One open page. It reports while it is visible and used, and leaves when it is not. */
class Visit {
  private questionCode: string | null = null
  private readonly id = crypto.randomUUID()
  private readonly report: Report
  private readonly show: (others: readonly PresentPerson[]) => void
  private readonly use = new PageUse()
  private heardAt = Date.now()
  private isPresent = false

  constructor(report: Report, show: (others: readonly PresentPerson[]) => void) {
    this.report = report
    this.show = show
  }

  /** Others see it soon, unless the focus moves on. */
  moveTo(questionCode: string | null): () => void {
    this.questionCode = questionCode
    const timer = setTimeout(() => this.isPresent && void this.tell(), SETTLE_MS)
    return () => clearTimeout(timer)
  }

  start(): () => void {
    const arrive = () => {
      if (!this.isPresent) void this.tell()
    }
    const turn = () => {
      if (document.visibilityState === 'hidden') return this.leave()
      this.use.note()
      arrive()
    }
    const unfollow = this.use.follow(arrive)
    const timer = setInterval(() => void this.tell(), PRESENCE_EVERY_SECONDS * 1_000)
    document.addEventListener('visibilitychange', turn)
    arrive()
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', turn)
      unfollow()
      this.leave()
    }
  }

  private async tell(): Promise<void> {
    if (document.visibilityState === 'hidden') return
    if (!this.use.isUsed()) {
      this.leave()
      return
    }
    this.isPresent = true
    try {
      const others = await this.report(this.at(false), { keepalive: false })
      this.heardAt = Date.now()
      if (this.isPresent) this.show(others)
    } catch {
      // Without a connection it isn't known who else is there. Answers have their own messages.
      if (Date.now() - this.heardAt > PRESENCE_SECONDS * 1_000) this.show([])
    }
  }

  private leave(): void {
    if (!this.isPresent) return
    this.isPresent = false
    this.show([])
    this.report(this.at(true), { keepalive: true }).catch(() => undefined)
  }

  private at(isLeaving: boolean): At {
    return { visitId: this.id, questionCode: this.questionCode, isLeaving }
  }
}
