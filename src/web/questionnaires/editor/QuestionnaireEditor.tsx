import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { compareVersions } from '#contract/questionnaires/questionnaires/compare-versions.ts'
import {
  type Questionnaire,
  questionnaires,
  type QuestionnaireVersion,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { query } from '#web/api/query.ts'
import { BuilderPanes } from '#web/questions/builder/BuilderPanes.tsx'
import type { Builder, Problem } from '#web/questions/builder/use-builder.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { ConflictDialog } from '#web/ui/document/ConflictDialog.tsx'
import { PublishDialog } from '#web/ui/document/PublishDialog.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { mayLeaveUnread } from '#web/ui/form/unread-numbers.ts'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'
import { publishQuestionnaire } from '../questionnaires/questionnaire-actions.ts'
import {
  type DraftContent,
  type DraftSaver,
  setQuestionnaireInCache,
  useQuestionnaireDraft,
} from './draft-saver.ts'
import { QuestionnaireHeader } from './QuestionnaireHeader.tsx'
import { LANGUAGES, SCORING } from './questionnaire-problems.ts'
import { useQuestionnaireBuilder } from './use-questionnaire-builder.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import './editor.css'

const ScoringTab = lazy(async () => ({ default: (await import('./scoring/ScoringTab.tsx')).ScoringTab }))
const SettingsTab = lazy(async () => ({ default: (await import('./SettingsTab.tsx')).SettingsTab }))
const EditionsSection = lazy(async () => ({
  default: (await import('./EditionsSection.tsx')).EditionsSection,
}))
const TranslationsTab = lazy(async () => ({
  default: (await import('./translations/TranslationsTab.tsx')).TranslationsTab,
}))
const TryItTab = lazy(async () => ({ default: (await import('./TryItTab.tsx')).TryItTab }))
const QuestionnaireHistory = lazy(async () => ({
  default: (await import('./QuestionnaireHistory.tsx')).QuestionnaireHistory,
}))

const route = getRouteApi('/shell/configure-questionnaire/$id')

/** The editor of a loaded questionnaire. Everything but the settings is saved while it is edited. */
export function QuestionnaireEditor({ loaded }: { loaded: Questionnaire }) {
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const { saver, view, kept } = useQuestionnaireDraft(loaded)
  const { stored, content } = view
  const latest = useLatestVersion(stored)
  const isReadOnly = useReadOnly(stored)
  const { builder, onMerged } = useQuestionnaireBuilder(saver, content, { isReadOnly, published: latest })
  const [isPublishing, setPublishing] = useState(false)
  const replace = (changed: Questionnaire) => {
    saver.replace(changed)
    setQuestionnaireInCache(changed)
  }
  const show = (next: typeof tab) =>
    void navigate({ search: next === undefined ? {} : { tab: next }, replace: true, ignoreBlocker: true })
  const goTo = ({ section, question, about }: Problem) => {
    show(tabOf(about))
    if (tabOf(about) === undefined) builder.choose({ section: section ?? builder.chosen.section, question })
  }
  async function publish() {
    if (!(await mayLeaveUnread())) return
    const published = await publishQuestionnaire(saver.view().stored)
    setPublishing(false)
    if (published !== null) replace(published)
  }
  return (
    <div className="fc-list fc-builder-page">
      <QuestionnaireHeader
        {...{ view, saver, builder }}
        onPublish={() => void saver.flush().then((isSaved) => isSaved && setPublishing(true))}
        onProblem={goTo}
        onChanged={replace}
      />
      {!isReadOnly && <KeptNotice kept={kept} labels={KEPT_LABELS} margin="8px 24px" />}
      <Tabs tab={tab} stored={stored} />
      {tab === undefined && <BuilderPanes builder={builder} onProblem={goTo} />}
      <Suspense fallback={<Spinner label="Loading" />}>
        <OtherTab {...{ tab, builder, stored }} onRestored={() => show(undefined)} />
        <KeptTab isShown={tab === 'settings'}>
          <SettingsTab saver={saver} stored={stored} onChanged={replace} />
        </KeptTab>
        {tab === 'settings' && <EditionsSection builder={builder} />}
      </Suspense>
      {view.theirs !== null && (
        <ConflictDialog
          noun="questionnaire"
          theirs={view.theirs}
          changes={conflictChanges(saver, view.theirs)}
          onResolve={(how) => {
            if (view.theirs !== null) onMerged(stored, view.theirs)
            saver.resolve(how)
          }}
        />
      )}
      {isPublishing && (
        <PublishDialog
          document={stored}
          endpoint={questionnaires.publish}
          changes={latest && compareVersions(latest, versionOf(stored))}
          onPublish={publish}
          onClose={() => setPublishing(false)}
        >
          {publishText(stored)}
        </PublishDialog>
      )}
    </div>
  )
}

const KEPT_LABELS = { draft: 'Questions', scoring: 'Scoring' }

const versionOf = ({ draft, scoring }: DraftContent) => ({ definition: draft, scoring })

/** What both users changed since the version that they started from, and what is replaced by overwriting. */
function conflictChanges(saver: DraftSaver, theirs: DraftContent) {
  const { stored, content } = saver.view()
  const between = (before: DraftContent, after: DraftContent) =>
    compareVersions(versionOf(before), versionOf(after))
  const [mine, other] = [between(stored, content), between(stored, theirs)]
  const merged = new Set(between(stored, saver.merged('mine')).map(({ message }) => message))
  const back = (changes: typeof mine) =>
    changes
      .filter(({ kind, message }) => kind === 'removed' && !merged.has(message))
      .map((change) => ({ ...change, effect: 'kept' as const }))
  return {
    theirs: other,
    mine,
    both: between(saver.merged('theirs'), saver.merged('mine')),
    mineBack: back(mine),
    theirsBack: back(other),
  }
}

/** What publishing does. */
function publishText({ publishedNumber, assessmentCount, status }: Questionnaire): string {
  const uses = `A published version never changes. New assessments use version ${(publishedNumber ?? 0) + 1}`
  const returns = status === 'retired' ? ', and the questionnaire is available again' : ''
  const kept =
    assessmentCount > 0
      ? `; ${count(assessmentCount, 'existing assessment keeps', 'existing assessments keep')} the version that ${assessmentCount === 1 ? 'it was' : 'they were'} opened with`
      : ''
  return `${uses}${returns}${kept}.`
}

/** Where a problem is corrected. */
function tabOf(about: string | null): Tab {
  if (about === SCORING) return 'scoring'
  return about === LANGUAGES ? 'translations' : undefined
}

type Tab = ReturnType<typeof route.useSearch>['tab']

type OtherTabProps = { tab: Tab; builder: Builder; stored: Questionnaire; onRestored: () => void }

function OtherTab({ tab, builder, stored, onRestored }: OtherTabProps) {
  switch (tab) {
    case 'scoring':
      return <ScoringTab builder={builder} />
    case 'translations':
      return <TranslationsTab builder={builder} />
    case 'try':
      return <TryItTab content={builder.content} />
    case 'versions':
      return <QuestionnaireHistory questionnaire={stored} builder={builder} onRestored={onRestored} />
    default:
      return null
  }
}

/**
 * A tab with a form of its own: once opened, it stays in the page while another tab is shown, so that what was typed isn't
 * lost.
 */
function KeptTab({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const [isOpened, setOpened] = useState(isShown)
  if (isShown && !isOpened) setOpened(true)
  return isOpened && <div hidden={!isShown}>{children}</div>
}

/** The published version, which never changes. Null while it loads, and before the first one. */
function useLatestVersion({ id, publishedNumber }: Questionnaire): QuestionnaireVersion | null {
  const { data } = useQuery({
    ...query(questionnaires.version, { id, number: publishedNumber ?? 1 }),
    enabled: publishedNumber !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return publishedNumber === null ? null : (data ?? null)
}

/** A published version never changes, and only some users may edit. */
function useReadOnly({ hasDraft, mayEdit }: Questionnaire): boolean {
  const holds = useHolds()
  const wanted = permissionsFor(questionnaires.update.allow)
  return !hasDraft || !mayEdit || !wanted.some((permission) => holds(permission) === true)
}

const TABS = [
  { tab: undefined, title: 'Questions' },
  { tab: 'scoring', title: 'Scoring' },
  { tab: 'translations', title: 'Translations' },
  { tab: 'try', title: 'Try it' },
  { tab: 'versions', title: 'Versions' },
  { tab: 'settings', title: 'Settings' },
] as const

/** The tabs don't lose anything, so they never ask about unsaved changes. */
function Tabs({ tab, stored: { id, publishedNumber } }: { tab: Tab; stored: Questionnaire }) {
  return (
    <nav className="fc-tabs" aria-label="Parts of this questionnaire">
      {TABS.map((one) => (
        <Link
          key={one.title}
          to="/configure-questionnaire/$id"
          params={{ id }}
          search={one.tab ? { tab: one.tab } : {}}
          replace
          ignoreBlocker
          activeOptions={{ exact: true, includeSearch: true }}
          {...(one.tab === tab && { 'aria-current': 'page' as const })}
        >
          {one.title}
          {one.tab === 'versions' && publishedNumber !== null && (
            <span className="fc-small fc-faint fc-number">{publishedNumber}</span>
          )}
        </Link>
      ))}
    </nav>
  )
}
