import { VisuallyHidden } from '@mantine/core'
import { IconCloudOff, IconDotsVertical, IconLanguage } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PARTICIPANT_LANGUAGES } from '#contract/participants/invitations/participants.ts'
import { DropMenu } from '#web/ui/controls/DropMenu.tsx'
import { FooterHtml } from '#web/ui/layout/FooterHtml.tsx'
import { Mark } from '#web/ui/layout/Mark.tsx'
import { useBoot } from '#web/use-boot.ts'
import { useArea } from './area.ts'
import { areaTexts, browserLanguage, LANGUAGE_NAMES } from '#web/assessments/index.ts'

type Props = {
  title: string
  /** Below the title: for whom, and until when. */
  about?: ReactNode
  /** Of the questions, besides those of the texts around them. */
  languages?: readonly string[]
  /** Entries of the menu, before "Leave". */
  actions?: ReactNode
  /** Above the content. */
  banners?: ReactNode
  /** Percent of the questions that have an answer. */
  progress?: number
  /** Stays in view at the bottom. */
  bar?: ReactNode
  children: ReactNode
}

/** The bare layout of a participant's pages: the brand of the domain, the language, and a menu. No navigation. */
export function AreaLayout({
  title,
  about,
  languages = [],
  actions,
  banners,
  progress,
  bar,
  children,
}: Props) {
  const { whiteLabel } = useBoot()
  const { name, language, text, chooseLanguage, isEnded, leave } = useArea()
  return (
    <div className="fc-area" lang={language}>
      <header className="fc-area-head">
        <Mark logo={whiteLabel.logo} name={whiteLabel.title} size={28} />
        <div className="fc-grow">
          <h1>
            <bdi>{title}</bdi>
          </h1>
          {about !== undefined && <p className="fc-small fc-soft">{about}</p>}
        </div>
        <span className="fc-area-name fc-small fc-soft">
          <bdi>{name}</bdi>
        </span>
        <LanguageMenu language={language} more={languages} choose={chooseLanguage} />
        <DropMenu
          kind="menu"
          side="end"
          className="fc-area-icon"
          trigger={
            <>
              <IconDotsVertical size={18} aria-hidden="true" />
              <VisuallyHidden>{text('more')}</VisuallyHidden>
            </>
          }
        >
          {actions}
          <button type="button" role="menuitem" className="fc-drop-item" onClick={leave}>
            {text('leave')}
          </button>
        </DropMenu>
        {progress !== undefined && (
          <div className="fc-area-progress" aria-hidden="true">
            <span style={{ inlineSize: `${progress}%` }} />
          </div>
        )}
      </header>
      <main className="fc-area-main">
        {isEnded && (
          <p className="fc-area-banner" role="alert">
            <IconCloudOff size={16} aria-hidden="true" />
            <span>
              <strong>{text('endedTitle')}.</strong> {text('endedText')}
            </span>
          </p>
        )}
        {banners}
        <div className="fc-area-content">{children}</div>
      </main>
      <footer className="fc-area-foot">
        <FooterHtml html={whiteLabel.footer} />
      </footer>
      {bar !== undefined && <div className="fc-area-bar">{bar}</div>}
    </div>
  )
}

type LanguageMenuProps = { language: string; more?: readonly string[]; choose: (language: string) => void }

function LanguageMenu({ language, more = [], choose }: LanguageMenuProps) {
  const text = areaTexts(browserLanguage([language]))
  return (
    <DropMenu
      kind="menu"
      side="end"
      className="fc-area-icon"
      trigger={
        <>
          <IconLanguage size={18} aria-hidden="true" />
          <VisuallyHidden>{text('language')}</VisuallyHidden>
        </>
      }
    >
      {[...new Set([...PARTICIPANT_LANGUAGES, ...more])].map((tag) => (
        <button
          key={tag}
          type="button"
          role="menuitemradio"
          aria-checked={tag === language}
          className="fc-drop-item"
          lang={tag}
          onClick={() => choose(tag)}
        >
          {nameOfLanguage(tag)}
        </button>
      ))}
    </DropMenu>
  )
}

/** The name of a language in itself, or in the language of the reader: "Deutsch", "German". */
export function nameOfLanguage(tag: string, reader = tag): string {
  const own = PARTICIPANT_LANGUAGES.find((one) => one === tag)
  if (own !== undefined && reader === tag) return LANGUAGE_NAMES[own]
  try {
    return new Intl.DisplayNames(reader, { type: 'language' }).of(tag) ?? tag
  } catch {
    // Not a language tag.
    return tag
  }
}

type MessageProps = {
  title: string
  language: string
  chooseLanguage?: (language: string) => void
  children: ReactNode
}

/** A page with one thing to say, before or after a session. */
export function AreaMessage({ title, language, chooseLanguage, children }: MessageProps) {
  const { whiteLabel } = useBoot()
  return (
    <div className="fc-area" lang={language}>
      <header className="fc-area-head">
        <Mark logo={whiteLabel.logo} name={whiteLabel.title} size={28} />
        <p className="fc-grow fc-area-brand">
          <bdi>{whiteLabel.title}</bdi>
        </p>
        {chooseLanguage !== undefined && <LanguageMenu language={language} choose={chooseLanguage} />}
      </header>
      <main className="fc-area-main">
        <div className="fc-area-content">
          <div className="fc-area-message">
            <h1>{title}</h1>
            {children}
          </div>
        </div>
      </main>
      <footer className="fc-area-foot">
        <FooterHtml html={whiteLabel.footer} />
      </footer>
    </div>
  )
}
