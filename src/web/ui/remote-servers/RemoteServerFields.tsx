import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput, Textarea, TextInput } from '@mantine/core'
import type { ClipboardEvent } from 'react'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import './remote-servers.css'

type Name = 'host' | 'port' | 'remotePath' | 'userName' | 'secret'
/** The `field` function of any form that has fields with these names. */
export type FieldOf<Names extends string> = RecordFormState<Record<Names, unknown>, unknown>['field']

type Props = {
  field: FieldOf<Name>
  protocol: 'https' | 'sftp' | 'ftps' | 'ftp'
  /** The default port of the protocol. */
  usualPort: string
  examplePath: string
  /** Help text about placeholders in the path. */
  pathHelp?: string
  /** Whether a password or key is already stored. */
  hasSecret: boolean
  /** Fills the fields from a URL pasted as the server. @returns whether it was one. */
  onUrl?: (text: string) => boolean
}

/** The location of a file on a remote server, and the credentials for it. */
export function RemoteServerFields({
  field,
  protocol,
  usualPort,
  examplePath,
  pathHelp,
  hasSecret,
  onUrl,
}: Props) {
  return (
    <>
      <TextInput
        {...field('host')}
        required
        maxLength={253}
        autoComplete="off"
        dir="ltr"
        {...(onUrl !== undefined && {
          description: 'Paste a whole URL here to fill in the port and the path too.',
          onPaste: (event: ClipboardEvent<HTMLInputElement>) => {
            if (onUrl(event.clipboardData.getData('text'))) event.preventDefault()
          },
        })}
      />
      <TextInput
        {...field('port')}
        inputMode="numeric"
        autoComplete="off"
        placeholder={usualPort}
        dir="ltr"
      />
      <TextInput
        {...field('remotePath')}
        className="fc-wide"
        required
        maxLength={500}
        autoComplete="off"
        placeholder={examplePath}
        {...(pathHelp !== undefined && { description: pathHelp })}
        dir="ltr"
      />
      <TextInput {...field('userName')} maxLength={200} autoComplete="off" dir="ltr" />
      <SecretField field={field} protocol={protocol} hasSecret={hasSecret} />
    </>
  )
}

/** A single-line password, or for SFTP also a multi-line private key. */
function SecretField({ field, protocol, hasSecret }: Pick<Props, 'field' | 'protocol' | 'hasSecret'>) {
  const hint = hasSecret ? 'Saved. Enter a new one to replace it.' : ''
  if (protocol === 'sftp') {
    return (
      <Textarea
        {...field('secret')}
        className="fc-wide fc-server-secret"
        description="A password, or a private key including its first and last lines."
        autosize
        minRows={1}
        maxRows={5}
        maxLength={20_000}
        autoComplete="off"
        spellCheck={false}
        placeholder={hint}
        dir="ltr"
      />
    )
  }
  return (
    <PasswordInput
      {...field('secret')}
      label={protocol === 'https' ? 'Password or token' : 'Password'}
      maxLength={500}
      autoComplete="new-password"
      placeholder={hint}
      dir="ltr"
    />
  )
}
