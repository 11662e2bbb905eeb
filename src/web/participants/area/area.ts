import { QueryClient } from '@tanstack/react-query'
import { createContext, use, useSyncExternalStore } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import type { AreaText } from '#web/assessments/index.ts'
import type { ParticipantSession } from './participant-session.ts'

/** Apart from the back office, whose cache is cleared when its session ends. */
export const participantQueries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** What all pages of a participant's session share. */
export type Area = Readonly<{
  session: ParticipantSession
  /** The participant's name. */
  name: string
  /** A language tag. The texts around the questions are in the closest language that they have. */
  language: string
  text: AreaText
  chooseLanguage: (language: string) => void
  /** The session is over: the link must be opened again. */
  isEnded: boolean
  onEnded: () => void
  /** Shows a sentence for a few seconds. */
  say: (sentence: string) => void
  leave: () => void
  /** Runs before the session is left. */
  setBeforeLeaving: (work: () => Promise<void>) => void
}>

export const AreaContext = createContext<Area | null>(null)

export function useArea(): Area {
  const area = use(AreaContext)
  if (!area) throw new Error("This component is not inside a participant's session.")
  return area
}

/** Makes calls with the participant's session. A 401 shows that it has ended. */
export function useParticipantCall() {
  const { session, onEnded } = useArea()
  return async <I extends z.ZodType, O extends z.ZodType>(
    endpoint: Endpoint<I, O>,
    input: z.input<I>,
    options: { signal?: AbortSignal; keepalive?: boolean } = {},
  ): Promise<z.output<O>> => {
    try {
      return await call(endpoint, input, { ...options, bearer: session.accessToken })
    } catch (error) {
      if (error instanceof CallFailure && error.status === 401) onEnded()
      throw error
    }
  }
}

/** The sentence of a failed call: the server's, or that there is no connection. */
export function sentenceOf(error: unknown, text: AreaText): string {
  if (!(error instanceof CallFailure)) throw error
  return error.kind === 'offline' ? text('needsConnection') : error.message
}

/** Whether the browser has a connection. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    followConnection,
    () => navigator.onLine,
    () => true,
  )
}

function followConnection(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

/** "10:42 AM" today, otherwise "Nov 14, 10:42 AM". */
export function showTime(instant: string | number, language: string, now = new Date()): string {
  const date = new Date(instant)
  const isToday = date.toDateString() === now.toDateString()
  return new Intl.DateTimeFormat(language, {
    hour: 'numeric',
    minute: '2-digit',
    ...(!isToday && { day: 'numeric', month: 'short' }),
  }).format(date)
}

/** "Nov 14", with the year if it isn't the current one. */
export function showDay(instant: string, language: string, now = new Date()): string {
  const date = new Date(instant)
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', ...year }).format(date)
}

/** A calendar day ("2026-11-30"), which has no time zone: "Nov 30", with the year if it isn't the current one. */
export function showCalendarDay(day: string, language: string, now = new Date()): string {
  const isThisYear = day.startsWith(`${now.getFullYear()}-`)
  return new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`))
}
