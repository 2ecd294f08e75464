import BoxOffice

extension DemoFilm {
    /// The record of this film as it stands on `today`: a film that has not opened yet is "개봉예정".
    func detail(today: Day) -> DemoDetail {
        var random = random(for: 4)
        let sketch = DetailSketch(
            code: code, title: title, isKorean: isKorean, releaseDay: releaseDay,
            isReleased: run.opening <= today, hasGaps: true)
        return sketch.detail(&random)
    }
}
