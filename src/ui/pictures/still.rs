//! The kept moment as SVG or PNG.

use web_sys::Blob;
use yew::prelude::*;

use crate::draw::surface::Svg;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};

use super::PartProps;
use super::canvas::{self, MOST_PIXELS};
use super::save::{blob, save};
use crate::ui::kit::choice::choice;

/// How many pixels one of the page's becomes.
const SCALES: [u32; 3] = [1, 2, 3];

/// Saves a file; what is to be said then.
pub(super) fn saved(file: Option<Blob>, name: &str, lang: Lang) -> String {
    match file.filter(|file| save(file, name)) {
        Some(file) => fill(page(lang).picture_saved, &[&name, &(file.size() / 1_000.0).ceil()]),
        None => page(lang).picture_failed.to_string(),
    }
}

fn svg(part: &PartProps) -> String {
    let (shot, palette) = (&part.kept.0, part.palette());
    let text = shot.show(&shot.pair, (&palette, part.lang), |sheet| {
        let (width, height) = sheet.size();
        let mut svg = Svg::new(width, height);
        sheet.draw(&mut svg);
        svg.finish(&shot.title(part.lang))
    });
    saved(blob(text.as_bytes(), "image/svg+xml"), &format!("{}.svg", shot.name()), part.lang)
}

/// Makes a PNG file and says what became of it, perhaps later.
fn png(part: &PartProps, scale: u32, say: impl Fn(String) + 'static) {
    let (shot, palette, lang) = (&part.kept.0, part.palette(), part.lang);
    let scale = f64::from(scale);
    let drawn = shot.show(&shot.pair, (&palette, lang), |sheet| {
        let million = MOST_PIXELS / 1e6;
        let size = canvas::pixels(sheet.size(), scale).ok_or_else(|| fill(page(lang).picture_large, &[&million]))?;
        let (canvas, ctx) = canvas::canvas(size, false).ok_or_else(|| page(lang).picture_failed.to_string())?;
        canvas::draw(sheet, &ctx, scale);
        Ok(canvas)
    });
    let name = format!("{}.png", shot.name());
    match drawn {
        Ok(canvas) => canvas::png(canvas, move |file| say(saved(file, &name, lang))),
        Err(sentence) => say(sentence),
    }
}

/// How large a PNG is, and what saves.
#[component]
pub(super) fn Still(props: &PartProps) -> Html {
    let words = page(props.lang);
    let scale = use_state(|| 2);
    let said = use_state(String::new);
    let as_svg = {
        let (part, said) = (props.clone(), said.setter());
        Callback::from(move |_: MouseEvent| said.set(svg(&part)))
    };
    let as_png = {
        let (part, said, scale) = (props.clone(), said.setter(), *scale);
        Callback::from(move |_: MouseEvent| {
            let said = said.clone();
            png(&part, scale, move |sentence| said.set(sentence));
        })
    };
    let choose = {
        let scale = scale.clone();
        Callback::from(move |value: String| scale.set(value.parse().unwrap_or(1)))
    };
    let scales = SCALES.map(|scale| (scale.to_string(), format!("{scale}×")));
    html! {
        <section aria-label={words.picture_still}>
            <h3>{ words.picture_still }</h3>
            <div class="fields">
                { choice(words.picture_scale, &scales, &scale.to_string(), choose) }
                <button class="main" onclick={as_png}>{ words.picture_png }</button>
                <button class="main" onclick={as_svg}>{ words.picture_svg }</button>
            </div>
            <p class="hint" role="status">{ (*said).clone() }</p>
        </section>
    }
}
