import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { StoredAnswer } from '#contract/assessments/targets/answer-schema.ts'
import type { Receipt } from '#contract/participants/area/participant-area.ts'
import { Definition, type Question } from '#contract/questions/definition.ts'
import { ConflictCard } from '#web/assessments/answering/ConflictCard.tsx'
import type { Change } from '#web/assessments/answering/answer-queue.ts'
import type { SyncState } from '#web/assessments/answering/answer-sync.ts'
import { AnswerStateLine } from './AnswerStateLine.tsx'
import { type Area, AreaContext, participantQueries, showCalendarDay, showTime } from '../area.ts'
import { areaTexts } from '#web/assessments/index.ts'
import { Notices } from '../Notices.tsx'
import { ReceiptCard } from './ReceiptCard.tsx'

const AREA: Area = {
  session: { accessToken: 'x', participantId: '1', targetId: '1' },
  name: 'Tom Becker',
  language: 'en',
  text: areaTexts('en'),
  chooseLanguage: () => {},
  isEnded: false,
  onEnded: () => {},
  say: () => {},
  leave: () => {},
  setBeforeLeaving: () => {},
}
const DEFINITION = Definition.parse({
  languages: ['en'],
  sections: [
    {
      id: 'site',
      title: { en: 'Site' },
      questions: [
        { type: 'number', code: 'refilled', title: { en: 'Refilled' }, unit: 'lb' },
        { type: 'longText', code: 'notes', title: { en: 'Notes' } },
        {
          type: 'table',
          code: 'meters',
          title: { en: 'Meters' },
          columns: [{ type: 'number', code: 'kwh', title: { en: 'Used' }, unit: 'kWh' }],
        },
      ],
    },
  ],
})
const questionOf = (code: string): Question => {
  const found = DEFINITION.sections.flatMap(({ questions }) => questions).find((one) => one.code === code)
  if (found === undefined) throw new Error(`There is no question ${code}.`)
  return found
}

function textOf(content: ReactNode): string {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={participantQueries}>
        <AreaContext value={AREA}>{content}</AreaContext>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return markup
    .replaceAll(/<style[^>]*>.*?<\/style>/gs, '')
    .replaceAll(/<[^>]+>/g, '|')
    .replaceAll(/\|+/g, '|')
}

const change = (question: string, state: Change['state'], more: Partial<Change> = {}): Change => ({
  id: '1',
  question,
  row: '',
  base: 1,
  value: '4.2',
  at: Date.now(),
  order: 1,
  state,
  ...more,
})
/** Without a call, nothing is settled. */
const unused = (): never => {
  throw new Error('A test does not press buttons.')
}

function conflictOf(code: string, mine: unknown, theirs: unknown, row = ''): string {
  const current = { value: theirs, rev: 2, by: 'Ana Souza', at: new Date().toISOString() }
  return textOf(
    <ConflictCard
      change={change(code, 'conflict', { value: mine, current, row })}
      question={questionOf(code)}
      words={{ tag: 'en', all: DEFINITION.languages }}
      text={areaTexts('en')}
      name="Tom Becker"
      showTime={(at) => showTime(at, 'en')}
      answering={{ resolveConflict: unused }}
      comment={unused}
    />,
  )
}

test('a conflict shows both versions, who wrote them, and three ways out', () => {
  const shown = conflictOf('refilled', '4.2', '1200.5')
  expect(shown).toContain('Ana Souza changed this answer.')
  expect(shown).toMatch(/Your answer\|? ?\|?Tom Becker, .*4\.2 lb.*Their answer.*Ana Souza, .*1,200\.5 lb/)
  expect(shown).toMatch(/Keep mine.*Keep theirs.*Keep both/)
  // Two numbers can't be one answer.
  expect(shown).toContain('Their answer is kept, and yours becomes a comment.')
})

test('two texts are kept as one answer, and a cleared answer is called empty', () => {
  expect(conflictOf('notes', 'Mine', 'Theirs')).not.toContain('becomes a comment')
  expect(conflictOf('notes', 'Mine', null)).toContain('|Empty|')
})

test('a conflict about a row of a table shows the row', () => {
  expect(conflictOf('meters', { kwh: '1200' }, { kwh: '900' }, 'r1')).toMatch(/1,200 kWh.*900 kWh/)
})

const SENT: SyncState = {
  queue: { changes: [], revs: new Map() },
  kept: new Map(),
  lastSentAt: null,
  problem: null,
  isKept: true,
}

const stored = (answeredBy: string): StoredAnswer[] => [
  {
    questionCode: 'refilled',
    rowKey: '',
    value: '4.2',
    rev: 1,
    isSetAside: false,
    sourceTargetId: null,
    answeredBy,
    answeredAt: '2026-01-14T10:42:00',
  },
]

function stateWith(changes: readonly Change[], { by = 'Tom Becker', kept = changes } = {}): string {
  const sync = {
    ...SENT,
    queue: { changes, revs: new Map() },
    kept: new Map(kept.map((one) => [one.id, one])),
  }
  const view = { drafts: {}, sync }
  const answering = { resend: unused, drop: unused }
  const open = { view, stored: stored(by), record: { open: ['refilled'] }, answering }
  return textOf(<AnswerStateLine code="refilled" open={open} />)
}

test('an answer says where it is', () => {
  expect(stateWith([])).toContain('Saved Jan 14, 10:42')
  expect(stateWith([], { by: 'Ana Souza' })).toContain('Answered by Ana Souza')
  for (const state of ['waiting', 'sent'] as const) {
    expect(stateWith([change('refilled', state)])).toContain('On this device, not sent yet')
  }
  expect(stateWith([change('refilled', 'refused', { message: 'Enter a number.' })])).toContain(
    'Not saved: Enter a number.',
  )
  // Before it is written to the device, also if an earlier value is.
  for (const kept of [[], [change('refilled', 'waiting')]]) {
    expect(stateWith([change('refilled', 'waiting', { value: '4.25' })], { kept })).toContain(
      '|Not sent yet|',
    )
  }
})

const noticesOf = (sync: Partial<SyncState>, more = {}): string =>
  textOf(
    <Notices
      record={{
        state: 'in_progress',
        role: 'owner',
        requestedChanges: 0,
        phase: 'open',
        opensOn: '2026-11-01',
        ...more,
      }}
      sync={{ ...SENT, ...sync }}
      isKept={sync.isKept ?? true}
    />,
  )

test('the page says what becomes of answers that cannot be sent or kept', () => {
  expect(noticesOf({})).toBe('')
  const away = { kind: 'away', message: 'No response.' } as const
  expect(noticesOf({ problem: away })).toMatch(/offline.*your answers are saved on this device/)
  // It must not promise what the browser can't do.
  const unkept = noticesOf({ problem: away, isKept: false })
  expect(unkept).not.toContain('your answers are saved on this device')
  expect(unkept).toContain('Keep this page open until they are sent.')
  const queue = { changes: [change('refilled', 'sent')], revs: new Map() }
  const problem = { kind: 'blocked', message: 'This assessment is closed.' } as const
  expect(noticesOf({ queue, problem })).toContain('Not saved: This assessment is closed.')
})

test('the page says what can be answered', () => {
  expect(noticesOf({}, { state: 'changes_requested', requestedChanges: 2 })).toMatch(
    /Changes requested: 2.*Your other answers can&#x27;t be changed/,
  )
  expect(noticesOf({}, { role: 'reader' })).toContain('you were not asked to answer it')
  expect(noticesOf({}, { phase: 'early', opensOn: '2099-12-01' })).toContain(
    'You can answer from Dec 1, 2099.',
  )
  const closed = noticesOf({}, { phase: 'closed', state: 'changes_requested', requestedChanges: 2 })
  expect(closed).toContain('This questionnaire is closed.')
  expect(closed).not.toContain('Changes requested')
})

const RECEIPT: Receipt = {
  targetId: '1',
  number: '1099-93FA-EE11',
  assessmentName: 'Site check',
  targetName: 'Body and Paint',
  submittedAt: '2026-11-18T15:01:00Z',
  answered: 4,
  questions: 7,
  sha256: '109993faee11',
}

test('a receipt has its number, and its time with the time zone of the reader', () => {
  const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' })
    .formatToParts(new Date(RECEIPT.submittedAt))
    .find(({ type }) => type === 'timeZoneName')?.value
  const shown = textOf(<ReceiptCard receipt={RECEIPT} />)
  expect(shown).toContain('|1099-93FA-EE11|')
  expect(shown).toMatch(new RegExp(`November 1[789], 2026 at .* ${zone?.replaceAll('+', '\\+')}`))
  expect(shown).toContain('Download my answers (PDF)')
})

test('a contributor finishes a part, which has no number', () => {
  const shown = textOf(<ReceiptCard receipt={{ ...RECEIPT, number: null, sha256: null }} />)
  expect(shown).toContain('Your part is finished')
  expect(shown).not.toContain('Receipt number')
})

test('a day has its year if it is another one', () => {
  const now = new Date(2026, 10, 18)
  expect(showCalendarDay('2026-11-30', 'en', now)).toBe('Nov 30')
  expect(showCalendarDay('2027-01-31', 'de', now)).toBe('31. Jan. 2027')
})
