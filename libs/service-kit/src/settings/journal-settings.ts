import { IsInt, Min } from 'class-validator';

export class JournalSettings {
  /** Milliseconds from the end of a run until its journal moves from the stream to the archive. */
  @IsInt()
  @Min(1000)
  archiveAfterMs = 86_400_000;
}
