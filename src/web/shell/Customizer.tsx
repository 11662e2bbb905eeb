import { Button, Drawer, Switch } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import {
  COLOUR_SCHEMES,
  DEFAULT_LOOK,
  DIRECTIONS,
  HEADER_COLOURS,
  LAYOUTS,
} from '#contract/appearance/looks.ts'
import type { Appearance } from '#contract/identity/branding/appearance.ts'
import { changeAppearance, useAppearance } from '#web/ui/layout/appearance.ts'
import { coverEnd } from '#web/ui/feedback/toast.tsx'
import { useKeepingFailure } from './save-appearance.ts'
import type { PanelProps } from './layout/panels.ts'
import '@mantine/core/styles/Switch.layer.css'
import './customizer.css'

const NAMES = {
  light: 'Light',
  dark: 'Dark',
  auto: 'As the system',
  vertical: 'Menu at the side',
  horizontal: 'Menu on top',
  chrome: 'Quiet',
  page: 'Page',
  brand: 'Brand',
  ink: 'Dark bar',
  ltr: 'Left to right',
  rtl: 'Right to left',
} as const

const SWITCHES = [
  { name: 'isMenuFixed', label: 'Menu stays in view', about: 'Else it scrolls away with the page.' },
  { name: 'isHeaderFixed', label: 'Top bar stays in view', about: 'Else it scrolls away with the page.' },
  { name: 'isBoxed', label: 'Boxed page', about: 'On wide screens the page keeps to 1320 pixels.' },
  { name: 'isMenuCollapsed', label: 'Narrow menu', about: 'Icons only, for the menu at the side.' },
] as const

/** The theme customizer of specification section 2. Everything counts at once; there is nothing to save. */
export function Customizer({ isOpen, onClose }: PanelProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title="Appearance"
      position="right"
      size={360}
      padding="lg"
      overlayProps={{ backgroundOpacity: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 100, exitDuration: 100 }}
    >
      <Choices />
    </Drawer>
  )
}

function Choices() {
  useEffect(coverEnd, [])
  const look = useAppearance()
  const failed = useKeepingFailure()
  return (
    <div className="fc-customizer">
      <p className="fc-soft">How Forecourt looks for you, on every machine you sign in at.</p>
      <div role="alert">
        {failed && (
          <p className="fc-customizer-failed">
            Not kept for your other machines yet: {failed.failure.message}{' '}
            <button type="button" className="fc-plain-button" onClick={failed.retry}>
              Try again
            </button>
          </p>
        )}
      </div>
      <Tiles look={look} name="scheme" title="Colours" choices={COLOUR_SCHEMES} />
      <Tiles
        look={look}
        name="layout"
        title="Layout"
        choices={LAYOUTS}
        note="On screens under 992 pixels the menu is always a drawer at the side."
      />
      <Tiles look={look} name="headerColor" title="Top bar" choices={HEADER_COLOURS} />
      <Tiles look={look} name="direction" title="Direction" choices={DIRECTIONS} />
      <fieldset>
        <legend>Page</legend>
        {SWITCHES.map(({ name, label, about }) => (
          <Switch
            key={name}
            label={label}
            description={about}
            checked={look[name]}
            onChange={(event) => changeAppearance({ [name]: event.currentTarget.checked })}
          />
        ))}
      </fieldset>
      <Button variant="default" onClick={() => changeAppearance(DEFAULT_LOOK)}>
        Back to the default
      </Button>
    </div>
  )
}

type Name = 'scheme' | 'layout' | 'headerColor' | 'direction'
type TilesProps<N extends Name> = {
  look: Appearance
  name: N
  title: string
  choices: readonly (Appearance[N] & keyof typeof NAMES)[]
  note?: ReactNode
}

/** One choice of several, each with a small drawing of what it means. */
function Tiles<N extends Name>({ look, name, title, choices, note }: TilesProps<N>) {
  return (
    <fieldset>
      <legend>{title}</legend>
      <div className="fc-tiles">
        {choices.map((choice) => (
          <label key={choice} className="fc-tile">
            <input
              type="radio"
              name={name}
              checked={look[name] === choice}
              onChange={() => changeAppearance({ [name]: choice })}
            />
            <span className="fc-tile-drawing" data-choice={choice} aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
            {NAMES[choice]}
          </label>
        ))}
      </div>
      {note !== undefined && <p className="fc-small fc-faint">{note}</p>}
    </fieldset>
  )
}
