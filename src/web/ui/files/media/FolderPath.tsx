import { IconChevronRight, IconPhoto } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { pathSteps } from './file-format.ts'
import './media-pieces.css'

type Props = {
  folder: string
  /** One step: a link to a folder, or the open folder. Renders `name` inside. */
  step: (to: string, name: ReactNode, isHere: boolean) => ReactNode
}

/** The path to the open folder, from the top. */
export function FolderPath({ folder, step }: Props) {
  const top = (
    <>
      <IconPhoto size={15} stroke={1.6} aria-hidden="true" />
      Media
    </>
  )
  return (
    <nav className="fc-path" aria-label="Path">
      <ol>
        <li>{step('', top, folder === '')}</li>
        {pathSteps(folder).map(({ path, name }) => (
          <li key={path}>
            <IconChevronRight size={14} className="fc-flip" aria-hidden="true" />
            {step(path, <bdi className="fc-cut">{name}</bdi>, path === folder)}
          </li>
        ))}
      </ol>
    </nav>
  )
}
