import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
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
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { publishQuestionnaire } from '../questionnaires/questionnaire-actions.ts'
import { ConflictDialog } from './ConflictDialog.tsx'
import { PublishDialog } from './versions/PublishDialog.tsx'
import { QuestionnaireHeader } from './QuestionnaireHeader.tsx'
import { LANGUAGES, SCORING } from './questionnaire-problems.ts'
import { setQuestionnaireInCache, useDraft } from './use-draft.ts'
import { useQuestionnaireBuilder } from './use-questionnaire-builder.ts'
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
const VersionsTab = lazy(async () => ({ default: (await import('./versions/VersionsTab.tsx')).VersionsTab }))

const route = getRouteApi('/shell/configure-questionnaire/$id')

/** The editor of a loaded questionnaire. Everything but the settings is saved while it is edited. */
export function QuestionnaireEditor({ loaded }: { loaded: Questionnaire }) {
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const { saver, view } = useDraft(loaded)
  const { stored, content } = view
  const latest = useLatestVersion(stored)
  const isReadOnly = useReadOnly(stored)
  const builder = useQuestionnaireBuilder(saver, content, { isReadOnly, published: latest })
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
      <Tabs tab={tab} stored={stored} />
      {tab === undefined && <BuilderPanes builder={builder} onProblem={goTo} />}
      <Suspense fallback={<Spinner label="Loading" />}>
        <OtherTab {...{ tab, builder, stored }} />
        <KeptTab isShown={tab === 'settings'}>
          <SettingsTab saver={saver} stored={stored} onChanged={replace} />
        </KeptTab>
        {tab === 'settings' && <EditionsSection builder={builder} />}
      </Suspense>
      {view.theirs !== null && <ConflictDialog view={view} theirs={view.theirs} saver={saver} />}
      {isPublishing && (
        <PublishDialog {...{ stored, latest }} onPublish={publish} onClose={() => setPublishing(false)} />
      )}
    </div>
  )
}

/** Where a problem is corrected. */
function tabOf(about: string | null): Tab {
  if (about === SCORING) return 'scoring'
  return about === LANGUAGES ? 'translations' : undefined
}

type Tab = ReturnType<typeof route.useSearch>['tab']

function OtherTab({ tab, builder, stored }: { tab: Tab; builder: Builder; stored: Questionnaire }) {
  switch (tab) {
    case 'scoring':
      return <ScoringTab builder={builder} />
    case 'translations':
      return <TranslationsTab builder={builder} />
    case 'try':
      return <TryItTab content={builder.content} />
    case 'versions':
      return <VersionsTab questionnaire={stored} content={builder.content} />
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
