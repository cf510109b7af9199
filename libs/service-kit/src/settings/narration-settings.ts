import { IsObject } from 'class-validator';

export class NarrationSettings {
  /** Providers in addition to `template`: name → path of a module whose default export is a provider. */
  @IsObject()
  providers: Record<string, string> = {};
}
