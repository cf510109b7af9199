import { IsObject } from 'class-validator';

export class NarrationSettings {
  /** Providers beside `template`: name → path of a module whose default export is one. */
  @IsObject()
  providers: Record<string, string> = {};
}
