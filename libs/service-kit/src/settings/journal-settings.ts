import { IsInt, Min } from 'class-validator';

export class JournalSettings {
  /** Milliseconds after its end until the journal of a run leaves the stream for the archive. */
  @IsInt()
  @Min(1000)
  archiveAfterMs = 86_400_000;
}
