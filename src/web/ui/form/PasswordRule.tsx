import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import { PASSWORD_PARTS } from './password-rule.ts'
import './password-rule.css'

/** The password requirements, each checked off when it is met. */
export function PasswordRule({ password }: { password: string }) {
  return (
    <ul className="fc-password-rule">
      {PASSWORD_PARTS.map(({ what, isMet }) => {
        const isDone = isMet(password)
        const Icon = isDone ? IconCheck : IconCircleDashed
        return (
          <li key={what} data-met={isDone || undefined}>
            <Icon size={14} stroke={2} aria-hidden="true" />
            <bdi>{what}</bdi>
            {isDone && <span className="fc-password-met">: met</span>}
          </li>
        )
      })}
    </ul>
  )
}
